#!/bin/sh
# features_gpu.sh DIR - what cudacpu claims of the runtime, of devices and of libraries, tried on this machine's GPUs: the suite's
# cases of conformance, features and devices (the last with two GPUs or more), and the programs of cudacpu/more/tests/libraries; DIR/features_gpu.txt.
set -u
out=$1
mkdir -p "$out"
suite=build/gpu/suites/check-cudacpu/check
make -j"$(nproc)" BACKEND=gpu SUITE=check-cudacpu $suite ${CHECK_LIBS:+CHECK_LIBS="$CHECK_LIBS"} \
    ${CHECK_CFLAGS:+CHECK_CFLAGS="$CHECK_CFLAGS"} >"$out/build.log" 2>&1 || { tail -n 20 "$out/build.log"; exit 1; }
run_program() { # source options...
    "${NVCC:-nvcc}" -O1 -arch=native -w -o "$out/program" "$@" && "$out/program"
    echo "$1: status $?"
    rm -f "$out/program"
}
{
    echo "# $(nvidia-smi -L | wc -l) $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)"
    echo "# CUDA: $("${NVCC:-nvcc}" --version | tail -n 1)"
    echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
    for part in conformance features devices; do
        echo "== $part"
        CK_RUN_CASE=$part $suite 2>&1
    done
    echo "== libraries"
    for library in cub cuda_std thrust; do run_program cudacpu/more/tests/libraries/$library.cu --extended-lambda -std=c++17; done
    run_program cudacpu/more/tests/libraries/cublas.cu -lcublas
    run_program cudacpu/more/tests/libraries/curand.cu -lcurand
} >"$out/features_gpu.txt" 2>&1
