#!/bin/sh
# sanitizer.sh DIR [STEP...] - compute-sanitizer's four tools on these steps, or on all of the ladder, at SIZES: DIR/sanitizer.txt.
# COMMIT: what is checked, where there is no repository.
set -u
out=$1
shift
mkdir -p "$out"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(mk/ladder.sh | grep -vxF "$(dirname [0-9][0-9]_*/matmult.c)")
# shellcheck disable=SC2046
make -j"$(nproc)" BACKEND=gpu $(printf 'build/gpu/%s/run ' "$@") >"$out/build.log" 2>&1 || tail -n 20 "$out/build.log"
# shellcheck disable=SC2016
check='step=$1 n=$2 tool=$3 log=$(mktemp)
timeout 100 compute-sanitizer --tool "$tool" --error-exitcode 9 "build/gpu/$step/run" -n "$n" >"$log" 2>&1
echo "$step n=$n $tool: status $?, $(grep -E "ERROR SUMMARY|RACECHECK SUMMARY" "$log" | tail -n 1)"
rm -f "$log"'
{
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
    echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1)"
    echo "# commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
    for step; do
        for n in ${SIZES:-300}; do
            for tool in memcheck racecheck initcheck synccheck; do printf '%s\0%s\0%s\0' "$step" "$n" $tool; done
        done
    done | xargs -0 -n 3 -P "$(nproc)" sh -c "$check" check | sort
} >"$out/sanitizer.txt"
rm -f "$out/build.log"
grep -v ' status 0, ' "$out/sanitizer.txt"
