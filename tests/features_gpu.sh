#!/bin/sh
# features_gpu.sh DIR - what cudacpu claims of the runtime, of the device and of libraries, tried on this machine's GPU: the cases of
# conformance and features that the suite runs on the CPU, and the programs of tests/libraries. DIR/features_gpu.txt.
set -u
out=$1
mkdir -p "$out"
run_case() { # part: what failed, and the counts
    make --no-print-directory BACKEND=gpu CK_RUN_CASE="$1" check-gpu \
        ${CHECK_LIBS:+CHECK_LIBS="$CHECK_LIBS"} ${CHECK_CFLAGS:+CHECK_CFLAGS="$CHECK_CFLAGS"} 2>&1 | grep -v -E '^(CC|CPUCC|NVCC|LINK) '
}
run_program() { # source options...
    program=$out/program
    "${NVCC:-nvcc}" -O1 -arch=native -w -o "$program" "$@" && "$program"
    echo "$1: status $?"
    rm -f "$program"
}
{
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
    echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1)"
    echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
    run_case conformance
    run_case features
    for library in cub cuda_std thrust; do run_program tests/libraries/$library.cu --extended-lambda -std=c++17; done
    run_program tests/libraries/cublas.cu -lcublas
    run_program tests/libraries/curand.cu -lcurand
} >"$out/features_gpu.txt" 2>&1
