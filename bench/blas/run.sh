#!/bin/sh
# run.sh [STEP...] - how long the CPU's BLAS and steps with cudacpu take for a product here, as CSV. Needs a cblas (Debian:
# libopenblas-dev).
set -eu
cd "$(dirname "$0")/../.."
out=build/blas cpu=build/cpu
mkdir -p $out
make BACKEND=cpu $cpu/libcommon.a "$@" >/dev/null
for file in totals sgemm; do
    cc -std=c11 -O2 -Icommon -Icudacpu/include -c bench/blas/$file.c -o $out/$file.o
done
cudacpu/cpucc $out/totals.o $out/sgemm.o $cpu/libcommon.a -lopenblas -lm -o $out/sgemm
echo "# processor: $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
echo "# BLAS: OpenBLAS $(dpkg-query -W -f '${Version}' libopenblas0-pthread 2>/dev/null || echo unknown)"
echo "# commit: ${COMMIT:-$(git describe --always --dirty)}"
echo "# seconds of a call; total_s: the median of the calls after the first"
echo "program,n,repeats,first_s,total_s,total_min_s,total_max_s"
# shellcheck disable=SC2086
$out/sgemm cblas_sgemm ${SIZES:-100 200 300 400 520 1000 1025 2048 4096}
for step; do
    cudacpu/cpucc $out/totals.o $cpu/"$step"/matmult.o $cpu/libcommon.a -lm -o "$out/$step"
    # shellcheck disable=SC2086
    "$out/$step" "$step" ${SIZES:-100 200 300 400 520 1000 1025 2048 4096}
done
