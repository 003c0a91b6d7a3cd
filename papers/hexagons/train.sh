#!/bin/sh
# Makes the narrated procedures, trains every row of the log, and prints the tables.
#     papers/hexagons/train.sh DATA OUT
# DATA is the folder of the published files, OUT a folder for what is made. MINUTES stops each training earlier. The
# rows of the log were trained three at a time on one H200 GPU: smollm2-pf-0, minilm-pf-0 and minilm-fh-0 for at most
# 7.3 minutes, the others for at most 4.3. Both of smollm2 were stopped by that.
set -eu
DATA=$1 OUT=$2 MINUTES=${MINUTES:-0}
mkdir -p "$OUT"

seed=1000
for spec in "0 600" "0 600" "1 950" "1 950" "1 950" "1 950" "2 950" "2 950" "2 950" "2 950" "2 950" \
  "3 950" "3 950" "3 950" "3 950" "3 950"; do
  set -- $spec
  seed=$((seed + 1))
  # some seeds know fewer than 136 recursive images: then there are none of that seed
  [ -f "$OUT/told-$1-$seed.jsonl" ] ||
    groundling make hexagons -n "$2" --told "$1" --seed "$seed" -o "$OUT/told-$1-$seed.jsonl" || true
done
narrated=$(ls "$OUT"/told-*.jsonl | paste -sd,)

learn() { # TRAINER NAME OPTIONS…
  trainer=$1 name=$2
  shift 2
  groundling train "$trainer" --data "$DATA" -o "$OUT/$name" --narrated "$narrated" --minutes "$MINUTES" "$@"
}

chat='{"narrated": 0.85, "narrated_later": 0.5}'
tiles='{"narrated": 0.8, "narrated_later": 0.4}'
learn hexagons-generator smollm2-pf-0 --model smollm2 --steps 1300 --every 260 --rate 7e-4 --lesson "$chat"
learn hexagons-generator smollm2-fh-0 --model smollm2 --context full-history --steps 900 --every 300 --rate 7e-4 \
  --lesson "$chat"
learn hexagons-classifier minilm-pf-0 --model minilm --steps 3600 --every 900 --lesson "$tiles"
learn hexagons-classifier minilm-fh-0 --model minilm --context full-history --steps 3600 --every 900 --lesson "$tiles"
learn hexagons-generator scratch-g-0 --model scratch --steps 2500 --every 500 --lesson "$tiles"
learn hexagons-classifier scratch-c-0 --model scratch --steps 3000 --every 600 --lesson "$tiles"

python "$(dirname "$0")/evaluate.py" "$DATA" "$OUT"/*-0 --out "$OUT/dev.json"
