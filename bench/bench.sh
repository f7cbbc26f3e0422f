#!/bin/sh
# bench.sh - the ladder, measured here.
# bench.sh STEP...          each step's own program: median of three runs at n = 1000, as a table
# bench.sh PROGRAM DIR      on a GPU: PROGRAM (bench/bench.c) runs every step and cuBLAS; CSV and plots go to DIR.
#                           SIZES, NAMES, TABLES: sizes, programs and tables, where it should not be all
set -eu

kernel_table() {
    awk -F, '
    /^#/ { print substr($0, 3); next }
    $1 == "step" {
        printf "%-18s %6s %5s %11s %9s %9s ", "step", "n", "runs", "kernel ms", "spread %", "TFLOP/s"
        printf "%6s %7s %7s %10s %10s\n", "SGEMM", "% FMA", "% fp16", "max error", "mean error"
        next
    }
    {
        printf "%-18s %6d %5d %11.4f %9.1f %9.2f ", $1, $2, $3, 1e3 * $4, 100 * ($6 - $5) / $4, $7
        printf "%6.2f %7.1f %7.1f %10.2g %10.2g  %s\n", $8, $9, $10, $12, $13, $14
    }'
}
total_table() {
    awk -F, '
    /^#/ { print substr($0, 3); next }
    $1 == "step" {
        printf "%-18s %6s %5s %14s %11s %9s %11s\n", "step", "n", "runs", "first call ms", "total ms", "spread %", "kernel ms"
        next
    }
    { printf "%-18s %6d %5d %14.3f %11.3f %9.1f %11.3f\n", $1, $2, $3, 1e3 * $4, 1e3 * $5, 100 * ($7 - $6) / $5, 1e3 * $8 }'
}

# run_bench TABLE FILE TEXT...: a table as CSV, with what it was measured on and how.
run_bench() {
    kind=$1 file=$2
    shift 2
    nvidia-smi --query-gpu=clocks.sm,power.draw --format=csv,noheader,nounits -lms 200 >"$out/clocks.txt" 2>/dev/null &
    monitor=$!
    trap 'kill $monitor 2>/dev/null || true' EXIT
    {
        echo "# device, driver, clocks allowed (SM, memory):" \
            "$(nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader | head -n 1)"
        echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1)"
        echo "# commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
        printf '# %s\n' "$@"
        # shellcheck disable=SC2086
        "$program" "$kind" ${SIZES:-1000 1024 2048 4096 8192 16384} ${NAMES:-}
        kill $monitor 2>/dev/null || true
        sort -n "$out/clocks.txt" | awk -F, '
            { clock[NR] = $1; if ($2 > power) power = $2 }
            END { printf "# SM clock during the run, every 0.2 s: %d to %d MHz, ", clock[1], clock[NR]
                  printf "median %d; largest power %d W\n", clock[int((NR + 1) / 2)], power }'
    } >"$file"
    rm -f "$out/clocks.txt"
}

if [ ! -d "$1" ]; then
    program=$1 out=$2
    mkdir -p "$out"
    [ -n "${CUBLAS:-}" ] || echo "cuBLAS is missing here (no cublas_v2.h beside nvcc): the steps alone" >&2
    for table in ${TABLES:-kernel normal total}; do
        case $table in
        kernel)
            file=$out/bench_gpu.csv
            echo "kernels, uniform operands in [0, 1): $file"
            run_bench kernel "$file" \
                "kernel time by events, median of the runs after a warm-up; the launches wait in the queue of a busy device" \
                "errors: relative, against an fp64 product"
            kernel_table <"$file"
            ;;
        normal)
            file=$out/bench_normal.csv
            echo "kernels, standard normal operands: $file"
            run_bench normal "$file" \
                "standard normal operands; kernel time by events, median of the runs after a warm-up; launches queued" \
                "errors: parts of (|A| |B|)_ij, against an fp64 product"
            kernel_table <"$file"
            ;;
        total)
            file=$out/bench_total.csv
            echo "total, matrices in ordinary memory: $file"
            run_bench total "$file" \
                "total of a call by the host's clock, matrices in ordinary memory, each program in a process of its own" \
                "first call: after other work of the device; later calls one after the other, their median" \
                "cublas_xt and cublas_xt_pinned: the best of some block sizes; xt_pinned: matrices already in pinned memory"
            total_table <"$file"
            ;;
        esac
    done
    if command -v gnuplot >/dev/null; then
        for plot in plot ladder; do gnuplot -e "csv='$out/bench_gpu.csv'; out='$out'" "$(dirname "$0")/$plot.gp"; done
        echo "plots: $out/bench_speed.svg, $out/bench_error.svg and $out/bench_ladder.svg"
    else
        echo "gnuplot is missing, so no plots; this makes them: for f in plot ladder; do" \
            "gnuplot -e \"csv='$out/bench_gpu.csv'; out='$out'\" bench/\$f.gp; done"
    fi
    exit 0
fi

base=none # the first step with CUDA: the others' times are compared with its
for step in "$@"; do
    [ ! -f "$step/matmult.cu" ] || { base=$step && break; }
done
printf '%-18s %10s %9s %10s %9s %9s %11s %11s\n' \
    step 'total s' GFLOPS 'kernel s' GFLOPS "to ${base%%_*}" 'max error' 'mean error'
for step in "$@"; do
    "./$step/run" --csv -r 3 2>/dev/null | tail -n 1
done | sed 's/"[^"]*"/device/' | awk -F, -v base="$base" '
    $1 == base { base_kernel = $12 }
    { kernel = $12 == "" ? sprintf("%10s %9s", "-", "-") : sprintf("%10.4f %9.2f", $12, $13)
      ratio = base_kernel && $12 != "" ? sprintf("%.2f", base_kernel / $12) : "-"
      printf "%-18s %10.4f %9.2f %s %9s %11.3g %11.3g\n", $1, $10, $11, kernel, ratio, $8, $9
      backend = $2 }
    END { sub(/_.*/, "", base)
          print "Backend of the last step: " backend "; ratios are of kernel times, above 1 is faster than " base "." }'
