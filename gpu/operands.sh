#!/bin/sh
# operands.sh DIR STEP... - what operands cost these steps on this machine's GPU, beside cuBLAS SGEMM. PARTS chooses:
#   kernel  uniform operands at SIZES (DIR/bench_gpu.csv), all steps
#   normal  standard normal ones at NORMAL_SIZES (DIR/bench_normal.csv)
#   kinds   each kind that bench/outliers/outliers.c knows, or KINDS, at KIND_SIZES, of the last step (DIR/operands.csv)
#   bits    of the last step on GPU and CPU at BITS_SIZES; of all and of step SAME_AS at SAME_SIZES (DIR/bits.txt)
# Prints the worst; DIR/summary.txt has all. COMMIT: what is measured, where there is no repository.
set -u
out=$1
shift
parts=" ${PARTS:-kernel normal kinds bits} "
same=${SAME_AS-24_clusters}
steps=$*
for last; do :; done
mkdir -p "$out"
build() { make -k -j"$(nproc)" BENCHED="$steps" "$@" >>"$out/build.log" 2>&1 || tail -n 20 "$out/build.log"; }
# table PART SIZES SECONDS
table() {
    NAMES="$steps" TABLES=$1 SIZES=$2 CUBLAS=yes timeout "$3" bench/bench.sh build/gpu/bench/bench "$out" >>"$out/build.log" 2>&1 ||
        echo "$1: status $?"
    rm -f "$out/clocks.txt"
}
build BACKEND=gpu build/gpu/bench/bench build/gpu/bench/outliers
case $parts in *" kernel "*) table kernel "${SIZES:-100 300 1000 4096 8192 16384}" 240 ;; esac
case $parts in *" normal "*) table normal "${NORMAL_SIZES:-1000 4096 8192}" 120 ;; esac
case $parts in *" kinds "*)
    {
        echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
        echo "# CUDA: $(nvcc --version | tail -n 1)"
        echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
        for n in ${KIND_SIZES:-1000 8192}; do
            timeout 200 build/gpu/bench/outliers "$n" "$last" || echo "# n = $n: status $?"
        done | awk '!/^step,/ || !header++'
    } >"$out/operands.csv" 2>>"$out/build.log"
    ;;
esac
case $parts in *" bits "*)
    # shellcheck disable=SC2046,SC2086
    build BACKEND=gpu $(printf 'build/gpu/%s/run ' "$@" $same)
    build BACKEND=cpu "build/cpu/$last/run"
    {
        SAME_AS='' BITS_SIZES=${BITS_SIZES-100 257 1000 1537 2048} timeout 120 gpu/bits.sh "$last" || echo "CPU: status $?, DIFFERENT"
        SAME_AS=$same BITS_SIZES='' timeout 120 gpu/bits.sh "$@" || echo "$same: status $?, DIFFERENT"
    } >"$out/bits.txt" 2>&1
    ;;
esac

# ratios FILE: a line for each n, times cuBLAS SGEMM.
ratios() {
    [ ! -f "$1" ] || awk -F, -v name="${1##*/}" '
    /^#/ { if (/not run/) print; next }
    $1 == "step" { print name ", times SGEMM:"; next }
    $1 == "cublas_sgemm" { next }
    { if (!($2 in line)) order[++sizes] = $2
      line[$2] = line[$2] sprintf("  %s %.2f", $1, $8); if ($12 > worst[$1]) worst[$1] = $12 }
    END { for (i = 1; i <= sizes; i++) printf "%6d%s\n", order[i], line[order[i]]
          for (step in worst) printf "largest error: %s %.3g\n", step, worst[step] }' "$1"
}
# kinds N: a line for each kind: times SGEMM, kernel time, that as a part of the plain operands, error, kind, note.
kinds() {
    awk -F, -v n="$1" -v step="$last" '
    $1 == step && $2 == n {
        if ($4 == "none") plain[$3] = $6
        note = $9; for (i = 10; i <= NF; i++) note = note "," $i
        printf "%7.3f %9.4f ms %s  %-9s %-40s %s\n", $7, 1e3 * $6, $4 != "none" && plain[$3] ? sprintf("x %6.3f", $6 / plain[$3]) : "        ", \
            $8, $4 == "none" ? $3 : $3 ", " $4 " x " $5, note
    }' "$out/operands.csv" | sort -n
}
beyond() { awk -F, -v step="$last" '$1 == step { lines++; if (!($8 <= 1e-6)) { bad++; print "BEYOND 1e-6: n = " $2 ", " $3 ", " $4 " x " $5 ": " $8 } }
    END { print lines + 0 " products, beyond 1e-6: " bad + 0 }' "$out/operands.csv"; }
# summarize LINES: of each list of kinds so many
summarize() {
    ratios "$out/bench_gpu.csv"
    ratios "$out/bench_normal.csv"
    if [ -f "$out/operands.csv" ]; then
        for n in ${KIND_SIZES:-1000 8192}; do
            echo "$last, n = $n: times SGEMM, kernel, times the plain operands, error in (|A| |B|), kind, note"
            kinds "$n" | head -n "$1"
        done
        grep '^#.*status' "$out/operands.csv"
        beyond
    fi
    [ ! -f "$out/bits.txt" ] || awk '/DIFFERENT/ { print; bad++; next } /: GPU / { good++ }
        END { print "bits: " good + 0 " the same, " bad + 0 " not" }' "$out/bits.txt"
}
summarize 1000 >"$out/summary.txt"
summarize 15 | tail -n 60
