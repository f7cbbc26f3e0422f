#!/usr/bin/env bash
# bench.sh - the benchmark's program on the CPU, two steps, small n: each table has its lines, and a product the hash that `run` prints.
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
steps=(06_tiled 33_small)
make BACKEND=cpu BENCHED="${steps[*]}" build/cpu/bench/bench build/cpu/{06_tiled,01_cpu_reference}/run
SIZES="64 100" STEPS="${steps[*]}" BOUNDED=33_small KINDS="normal,one outlier,index k" LIMIT=60 \
    REFERENCE=build/cpu/01_cpu_reference/run bench/bench.sh build/cpu/bench/bench "$out" "${steps[@]}"
wanted() { # file lines of each step and size
    local step n lines
    for step in "${steps[@]}"; do
        for n in 64 100; do
            lines=$(grep -c "^$step,$n," "$out/$1") || true
            [ "$lines" = "$2" ] || { echo "$1 has $lines lines of $step at n = $n, not $2" >&2; exit 1; }
        done
    done
}
wanted bench.csv 1
wanted bench_normal.csv 1
wanted bench_total.csv 1
wanted bench_operands.csv 7 # normal; one outlier, in A or B; an index of uniform and of normal operands, by two factors
grep -q '^01_cpu_reference,none,' "$out/bench_cpu.csv"
hash=$(build/cpu/06_tiled/run -n 100 --csv | tail -n 1 | sed 's/.*,//')
grep -q "^06_tiled,100,.*,$hash,\"\"$" "$out/bench.csv" || { echo "bench.csv has not the hash of 06_tiled, $hash" >&2; exit 1; }
