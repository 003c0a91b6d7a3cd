#!/bin/sh
# Makes the narrated procedures, trains executors, and prints what they reach on dev.
#     papers/hexagons/train.sh DATA OUT
# DATA is the folder of the published files, OUT a folder for what is made. MINUTES stops each training earlier; the
# same command then goes on. The log says which of these rows were trained to their end. A training took up to 60 GiB
# of a GPU.
set -eu
DATA=$1 OUT=$2 MINUTES=${MINUTES:-0}
mkdir -p "$OUT"

seed=1000
for spec in "0 600" "0 600" "1 950" "1 950" "1 950" "1 950" "2 950" "2 950" "2 950" "2 950" "2 950" \
  "3 950" "3 950" "3 950" "3 950" "3 950" "2 950" "3 950" "1 950" "2 950" "3 950" "3 950" "2 950"; do
  set -- $spec
  seed=$((seed + 1))
  # some seeds know fewer than 136 recursive images: then there are none of that seed
  [ -f "$OUT/told-$1-$seed.jsonl" ] ||
    groundling make hexagons -n "$2" --told "$1" --seed "$seed" -o "$OUT/told-$1-$seed.jsonl" || true
done
narrated=$(ls "$OUT"/told-*.jsonl | paste -sd,)

learn() { # NAME TRAINER OPTIONS…
  name=$1 trainer=$2
  shift 2
  groundling train "$trainer" --data "$DATA" -o "$OUT/$name" --minutes "$MINUTES" "$@"
}

learn smollm2-told-0 hexagons-generator --narrated "$narrated" --steps 1000 --every 1000 --then-epochs 6 \
  --lesson '{"narrated":0.75,"spoiled":0.75,"slips":0.5}'
learn smollm2-people-0 hexagons-generator --batch 16 --steps 420
learn smollm2-people-fh-0 hexagons-generator --batch 64 --steps 550 --context full-history
learn minilm-told-0 hexagons-classifier --model minilm --narrated "$narrated" --batch 128 --steps 5000 --every 1000 \
  --then-epochs 30 --rate 1e-3 --lesson '{"narrated":0.75,"slow":0.1}'

python -m papers.hexagons.evaluate "$DATA" "$OUT"/*-0 --out "$OUT/results"
python -m papers.hexagons.tables "$DATA" "$OUT/results"
