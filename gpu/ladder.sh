#!/bin/sh
# ladder.sh DIR STEP... - builds these steps for this machine's GPU, measures their kernels beside cuBLAS (DIR/bench_gpu.csv),
# compares their bits with the CPU's (DIR/bits.txt), has ncu and inspect count (DIR/inspect_ncu_kernels.csv), and runs
# compute-sanitizer (DIR/sanitizer.txt). SIZES: of the measurement; BITS_SIZES: of the bits.
# COMMIT: what is measured, where there is no repository.
set -u
out=$1
shift
mkdir -p "$out"
jobs=$(nproc)
build() { make -j"$jobs" "$@" >>"$out/build.log" 2>&1 || tail -n 20 "$out/build.log"; }
# shellcheck disable=SC2046
build BACKEND=gpu $(printf 'build/gpu/%s/run ' "$@") build/gpu/bench/bench
NAMES="$* cublas_sgemm cublas_dgemm" SIZES=${SIZES:-1000 4096 8192 9216} TABLES=kernel CUBLAS=yes bench/bench.sh build/gpu/bench/bench "$out"
# shellcheck disable=SC2046
build BACKEND=cpu $(printf 'build/cpu/%s/run ' "$@") $(for step; do echo "build/inspect/$step/inspect"; done)
for step; do cp "build/inspect/$step/inspect" "$step/inspect"; done
gpu/bits.sh "$@" >"$out/bits.txt" 2>&1
STEPS="$*" timeout 200 gpu/ncu_kernels.py "$out/inspect_ncu_kernels.csv" 512 >"$out/ncu.log" 2>&1
# shellcheck disable=SC2016
check='step=$1 tool=$2 log=$(mktemp)
timeout 100 compute-sanitizer --tool "$tool" --error-exitcode 9 "build/gpu/$step/run" -n 300 >"$log" 2>&1
echo "$step n=300 $tool: status $?, $(grep -E "ERROR SUMMARY|RACECHECK SUMMARY" "$log" | tail -n 1)"
rm -f "$log"'
for step; do
    for tool in memcheck racecheck initcheck synccheck; do printf '%s\0%s\0' "$step" $tool; done
done | xargs -0 -n 2 -P "$jobs" sh -c "$check" check | sort >"$out/sanitizer.txt"
