#!/bin/sh
# gpu_report.sh DIR - builds and checks every step of the ladder on this machine's GPU and on its CPU, compares the bits, runs
# compute-sanitizer, and leaves the raw outputs in DIR: gpu/gpu_report.sh docs/results
set -u
out=$1
mkdir -p "$out"
reference=$(dirname [0-9][0-9]_*/matmult.c)
steps=$(mk/ladder.sh | grep -vxF "$reference")
{
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
    echo "# CUDA: $(nvcc --version | tail -n 1)"
    echo "# commit: ${COMMIT:-$(git rev-parse --short HEAD 2>/dev/null)}"
} >"$out/device.txt"
cat >"$out/attributes.cu" <<'END'
#include <cstdio>
#define PRINT(text, attribute) \
    do { int value = 0; cudaError_t error = cudaDeviceGetAttribute(&value, attribute, 0); \
         if (error != cudaSuccess) { printf("%s\n", cudaGetErrorString(error)); return 1; } \
         printf(text "\n", value); } while (0)
int main() {
    PRINT("%d SMs", cudaDevAttrMultiProcessorCount);
    PRINT("%d bytes of L2 cache", cudaDevAttrL2CacheSize);
    PRINT("%d bytes of shared memory in an SM", cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    PRINT("%d bytes of it for a block at most", cudaDevAttrMaxSharedMemoryPerBlockOptin);
    PRINT("%d registers in an SM", cudaDevAttrMaxRegistersPerMultiprocessor);
}
END
nvcc -o "$out/attributes" "$out/attributes.cu" && { cat "$out/device.txt" && "$out/attributes"; } >"$out/device_gpu.txt"
rm -f "$out/attributes" "$out/attributes.cu"
make -j8 BACKEND=gpu >"$out/build.log" 2>&1 || tail -n 20 "$out/build.log"
{
    cat "$out/device.txt"
    for step in $reference $steps; do "./$step/run" --csv -r 10; done | awk 'NR == 1 || !/^step,/'
} >"$out/steps_gpu.csv" 2>&1
{
    cat "$out/device.txt"
    make check-gpu BACKEND=gpu ${CHECK_LIBS:+CHECK_LIBS="$CHECK_LIBS"} \
        ${CHECK_CFLAGS:+CHECK_CFLAGS="$CHECK_CFLAGS"} 2>&1 | grep -v -E '^(CC|CPUCC|NVCC|LINK) '
} >"$out/check_gpu.txt" 2>&1
make -j8 BACKEND=cpu >>"$out/build.log" 2>&1
{
    cat "$out/device.txt"
    echo "# the same steps on the CPU of that machine, two cores (taskset -c 0,1)"
    for step in $steps; do taskset -c 0,1 "./$step/run" --csv -r 3 2>>"$out/build.log"; done |
        awk 'NR == 1 || !/^step,/'
} >"$out/steps_cpu.csv" 2>&1
make -j8 BACKEND=gpu >>"$out/build.log" 2>&1
{
    cat "$out/device.txt"
    for step in $steps; do
        for n in 100 1000; do
            for tool in memcheck racecheck initcheck synccheck; do
                timeout 40 compute-sanitizer --tool $tool --error-exitcode 9 "build/gpu/$step/run" -n $n \
                    >"$out/one.log" 2>&1
                status=$?
                summary=$(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$out/one.log" | tail -n 1)
                echo "$step n=$n $tool: status $status, $summary"
            done
        done
    done
} >"$out/sanitizer.txt" 2>&1
rm -f "$out/one.log" "$out/device.txt"
