#!/bin/sh
# bench.sh - the ladder, measured here.
# bench.sh steps DIR STEP...      each step's own program: median of three runs at n = 1000, as a table; DIR/steps_cpu.csv
# bench.sh PROGRAM DIR NAME...    on a GPU: PROGRAM (bench/bench.c) measures these steps and libraries, for the book and for you.
#                                 DIR/bench.csv: kernels, uniform operands; bench_normal.csv: standard normal ones;
#                                 bench_total.csv: what the user waits for; bench_operands.csv: the last steps for one GPU, on each
#                                 kind of operands; bench_cpu.csv: the step without CUDA, on one thread of this machine;
#                                 device_gpu.txt: what the device says of itself; bench_*.svg: plots
# make bench says the rest: STEPS, of one device; BOUNDED, those whose work depends on the operands; REFERENCE, the program of the
# step without CUDA. Yours: NAMES="06_tiled ..."
# SIZES="1000 8192", TABLES="uniform normal total kinds", LIMIT=520, seconds after which nothing more is begun, 0: none.
# COMMIT: what is measured, where there is no repository.
set -eu

kind=$1 out=$2
shift 2
mkdir -p "$out"
head_lines() {
    echo "# commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
    echo "# date: $(date -u +%Y-%m-%d); $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
}

if [ "$kind" = steps ]; then
    {
        head_lines
        for step; do "./$step/run" --csv -r 3 2>/dev/null; done | awk 'NR == 1 || !/^step,/'
    } >"$out/steps_cpu.csv"
    base=none # the first step with CUDA: the others' times are compared with its
    for step; do
        [ ! -f "$step/matmult.cu" ] || { base=$step && break; }
    done
    printf '%-18s %10s %9s %10s %9s %9s %11s %11s\n' \
        step 'total s' GFLOPS 'kernel s' GFLOPS "to ${base%%_*}" 'max error' 'mean error'
    grep -v -e '^#' -e '^step,' "$out/steps_cpu.csv" | sed 's/"[^"]*"/device/' | awk -F, -v base="$base" '
        $1 == base { base_kernel = $12 }
        { kernel = $12 == "" ? sprintf("%10s %9s", "-", "-") : sprintf("%10.4f %9.2f", $12, $13)
          ratio = base_kernel && $12 != "" ? sprintf("%.2f", base_kernel / $12) : "-"
          printf "%-18s %10.4f %9.2f %s %9s %11.3g %11.3g\n", $1, $10, $11, kernel, ratio, $8, $9
          backend = $2 }
        END { sub(/_.*/, "", base)
              print "Backend of the last step: " backend "; ratios are of kernel times, above 1 is faster than " base "." }'
    exit 0
fi

program=$kind
case " $* " in *" cublas_sgemm "*) ;; *) echo "cuBLAS is missing here (no cublas_v2.h beside nvcc): the steps alone" >&2 ;; esac

# The sizes in the order of their importance. The last ones show what a wave of tiles leaves over.
main=${SIZES:-1000 8192 4096}
more=${SIZES-16384 9216 2048 512 256 128 64 100 200 300 384 2304 3072 5376 6000 10000 12000 15360}
[ -z "${SIZES:-}" ] || more=
tables=" ${TABLES:-uniform normal total kinds} "
# The last steps of one device: the whole call is one of them.
last=$(for step in ${STEPS:-}; do echo "$step"; done | sort | tail -n 2)
waited=$(for name; do echo "$name"; done | grep -vE '^cublas_(dgemm|tf32)$')
set -- "$out" "${LIMIT:-520}" uniform "$main $more" "$*" normal "$main" "$*" total "${SIZES:-1000 8192 16384}" "$waited" \
    kinds "${SIZES:-1000 8192}" "$last" normal "$more" "${BOUNDED:-}"
arguments="$1 $2"
shift 2
while [ $# -gt 0 ]; do # table, sizes, names
    case $tables in *" $1 "*) [ -z "$2" ] || [ -z "$3" ] || arguments="$arguments $1 $2 $3" ;; esac
    shift 3
done

# begin FILE TEXT...: what it was measured on and how.
begin() {
    file=$out/$1
    shift
    {
        echo "# device, driver, clocks allowed (SM, memory):" \
            "$(nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader 2>/dev/null | head -n 1)"
        echo "# CUDA: $("${NVCC:-nvcc}" --version 2>/dev/null | tail -n 1)"
        head_lines
        printf '# %s\n' "$@"
    } >"$file"
}
files=
for table in $tables; do
    case $table in
    uniform)
        begin bench.csv "uniform operands in [0, 1); median of the kernel's times by events after a call to warm up; launches queued" \
            "errors: relative, against an fp64 product"
        files="$files bench.csv"
        ;;
    normal)
        begin bench_normal.csv "standard normal operands; median of the kernel's times by events after a call to warm up; launches queued" \
            "errors: parts of (|A| |B|)_ij, against an fp64 product"
        files="$files bench_normal.csv"
        ;;
    total)
        begin bench_total.csv "total of a call by the host's clock, matrices in ordinary memory, each program in a process of its own" \
            "first call: after other work of the device; later calls one after the other, their median" \
            "cublas_xt and cublas_xt_pinned: the best of some block sizes; xt_pinned: matrices already in pinned memory"
        files="$files bench_total.csv"
        ;;
    kinds)
        begin bench_operands.csv "each kind of operands of tests/operands.c, (A) or (B): the one that is special; and outliers, so many times as large" \
            "median of the kernel's times; max_error: the largest of all elements, in (|A| |B|)_ij"
        files="$files bench_operands.csv"
        ;;
    *)
        echo "TABLES: '$table' is none of uniform, normal, total and kinds" >&2
        exit 2
        ;;
    esac
done

if [ -n "${REFERENCE:-}" ]; then
    begin bench_cpu.csv "run --csv of the step without CUDA, one thread of the CPU, before anything else ran; errors: against an exact sum"
    "$REFERENCE" --csv -r 3 >>"$out/bench_cpu.csv" || echo "$REFERENCE: status $?" >&2
fi
begin device_gpu.txt "what the device says of itself"
nvidia-smi --query-gpu=clocks.sm,power.draw --format=csv,noheader,nounits -lms 200 >"$out/clocks.txt" 2>/dev/null &
monitor=$!
trap 'kill $monitor 2>/dev/null || true' EXIT
status=0
# shellcheck disable=SC2086
{ "$program" $arguments >"$out/ceilings.txt"; } 2>&1 || status=$?
kill $monitor 2>/dev/null || true
clocks=$(sort -n "$out/clocks.txt" | awk -F, '
    { clock[NR] = $1; if ($2 > power) power = $2 }
    END { if (NR) printf "# SM clock during the run, every 0.2 s: %d to %d MHz, median %d; largest power %d W\n",
                         clock[1], clock[NR], clock[int((NR + 1) / 2)], power }')
for file in $files; do # by n, the programs in their order
    {
        grep '^#' "$out/$file"
        cat "$out/ceilings.txt"
        [ -z "$clocks" ] || echo "$clocks"
        grep -m 1 '^step,' "$out/$file" || true
        grep -v -e '^#' -e '^step,' "$out/$file" | LC_ALL=C sort -s -t, -k2,2n
    } >"$out/$file.new"
    mv "$out/$file.new" "$out/$file"
done
rm -f "$out/clocks.txt" "$out/ceilings.txt"

kernel_table() { # FILE SIZE
    awk -F, -v n="$2" '
    $1 == "step" {
        printf "%-22s %6s %5s %11s %9s %9s ", "step", "n", "calls", "kernel ms", "spread %", "TFLOP/s"
        printf "%6s %7s %10s %10s\n", "SGEMM", "% FMA", "max error", "mean error"
    }
    /^[^#]/ && $2 == n {
        printf "%-22s %6d %5d %11.4f %9.1f %9.2f ", $1, $2, $3, 1e3 * $4, 100 * ($6 - $5) / $4, $7
        printf "%6s %7s %10.2g %10.2g\n", $8, $9, $10, $11
    }' "$1"
}
total_table() {
    awk -F, '
    $1 == "step" {
        printf "%-22s %6s %5s %14s %11s %9s %11s\n", "step", "n", "calls", "first call ms", "total ms", "spread %", "kernel ms"
        next
    }
    /^[^#]/ { printf "%-22s %6d %5d %14.3f %11.3f %9.1f %11.3f\n", $1, $2, $3, 1e3 * $4, 1e3 * $5, 100 * ($7 - $6) / $5, 1e3 * $8 }' "$1"
}
for file in $files; do
    echo "$out/$file: $(grep -c '^[^#]' "$out/$file") lines"
    case $file in
    bench_total.csv) total_table "$out/$file" ;;
    bench_operands.csv) ;;
    *) for n in ${SIZES:-1000 8192}; do kernel_table "$out/$file" "$n"; done ;;
    esac
done
[ ! -s "$out/bench.csv" ] || "$(dirname "$0")/plots.sh" "$out" || echo "no plots" >&2
exit $status
