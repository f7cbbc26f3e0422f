#!/bin/sh
# two_gpus.sh DIR - make bench's second run, on a machine with several GPUs: the last step for one GPU, and the steps for several on
# one and on all; DIR/bench_two_gpus.csv, with what bounds the copies above it (bench/links). SIZES: which; ROUNDS: how often each by turns;
# LIMIT: seconds after which nothing more is begun. COMMIT: what is measured, where there is no repository.
set -eu
out=$1
mkdir -p "$out"
several=$(grep -lE '^ *devices *= *several' [0-9][0-9]_*/step.conf | xargs -n 1 dirname | sort)
single=$(mk/ladder.sh | grep -vxF "$several" | tail -n 1)
start=$(date +%s)
# shellcheck disable=SC2046,SC2086
make -j"$(nproc)" BACKEND=gpu $(printf 'build/gpu/%s/run ' "$single" $several) >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log"; exit 1; }
"${NVCC:-nvcc}" -O2 -Icommon bench/links/links.cu build/gpu/libcommon.a -o "$out/links"
devices=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
echo "build: $(($(date +%s) - start)) s"

# measure STEP DEVICES OPTIONS...: step,devices,n,kernel_s,total_s,max_error,hash of a run
measure() {
    step=$1 of=$2
    shift 2
    "build/gpu/$step/run" -n "$n" -r 9 --csv "$@" | tail -n 1 | sed 's/"[^"]*"/device/' |
        awk -F, -v of="$of" '{ print $1 "," of "," $4 "," $12 "," $10 "," $8 "," $14 }'
}
{
    echo "# device, driver, clocks allowed (SM, memory):" \
        "$(nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader | head -n 1)"
    echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1); NVLink multicast off (NCCL_NVLS_ENABLE=0)"
    echo "# commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
    echo "# date: $(date -u +%Y-%m-%d); $devices devices; $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "# run -r 9 --csv by turns, matrices in ordinary memory: medians of rounds, each a median of 9 calls"
    "$out/links" || echo "# links: status $?"
    export NCCL_NVLS_ENABLE=0
    for _ in $(seq "${ROUNDS:-3}"); do
        for n in ${SIZES:-1000 8192 16384 4096}; do
            [ $(($(date +%s) - start)) -lt "${LIMIT:-400}" ] || break
            measure "$single" 1
            for step in $several; do
                for count in 1 "$devices"; do measure "$step" "$count" --devices "$count"; done
            done
        done
    done >"$out/rounds.csv"
    echo "step,devices,n,rounds,kernel_s,kernel_min_s,kernel_max_s,total_s,total_min_s,total_max_s,max_error,hash"
    python3 - "$out/rounds.csv" <<'END'
import csv, statistics, sys
runs = {}
for step, devices, n, *values in csv.reader(open(sys.argv[1])):
    runs.setdefault((int(n), step, int(devices)), []).append(values)
for (n, step, devices), of in sorted(runs.items()):
    kernel, total = (sorted(float(values[i]) for values in of) for i in (0, 1))
    errors, hashes = ({values[i] for values in of} for i in (2, 3))
    print(step, devices, n, len(of), *(f"{f(x):.6f}" for x in (kernel, total) for f in (statistics.median, min, max)),
          max(errors, key=float), hashes.pop() if len(hashes) == 1 else "DIFFERENT", sep=",")
END
} >"$out/bench_two_gpus.csv"
rm -f "$out/links" "$out/build.log" "$out/rounds.csv"
echo "all: $(($(date +%s) - start)) s"
cat "$out/bench_two_gpus.csv"
