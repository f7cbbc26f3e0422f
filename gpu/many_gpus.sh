#!/bin/sh
# many_gpus.sh DIR - on a machine with several GPUs: the rates of their links, and the last step for one GPU beside the steps for
# several, on one and on all; DIR/many_gpus.csv. SIZES, ROUNDS: which, how often.
set -eu
out=$1
mkdir -p "$out"
several=$(grep -lE '^ *devices *= *several' [0-9][0-9]_*/step.conf | xargs -n 1 dirname | sort)
first=$(echo "$several" | head -n 1)
single=$(mk/ladder.sh | awk -v first="$first" '$1 < first' | tail -n 1)
# shellcheck disable=SC2046
make -j"$(nproc)" BACKEND=gpu "$single/run" $(echo "$several" | sed 's|$|/run|') >"$out/build.log" 2>&1
"${NVCC:-nvcc}" -O2 -Icommon bench/links/links.cu common/timing.c -o "$out/links"
devices=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)

# kernel_s, total_s, max_error and hash of a run
measure() { # name program options...
    name=$1
    shift
    "$@" -n "$n" -r 9 --csv | tail -n 1 | sed 's/"[^"]*"/device/' |
        awk -F, -v name="$name" -v n="$n" '{ print name "," n "," $12 "," $10 "," $8 "," $14 }'
}
{
    echo "# $devices $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1), $(nproc) cores"
    echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1); NVLink multicast off (NCCL_NVLS_ENABLE=0)"
    echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
    echo "# run -r 9 --csv, medians of 9 calls; _on_1: --devices 1; some rounds"
    "$out/links"
    export NCCL_NVLS_ENABLE=0
    echo "step,n,kernel_s,total_s,max_error,hash"
    for n in ${SIZES:-1000 8192 16384}; do
        for round in $(seq "${ROUNDS:-1}"); do
            again=$([ "$round" = 1 ] || echo "_$round")
            measure "$single$again" "build/gpu/$single/run"
            for step in $several; do
                for count in 1 "$devices"; do
                    measure "${step}_on_$count$again" "build/gpu/$step/run" --devices "$count"
                done
            done
        done
    done
} >"$out/many_gpus.csv"
rm -f "$out/links" "$out/build.log"
cat "$out/many_gpus.csv"
