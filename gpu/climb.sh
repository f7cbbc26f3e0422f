#!/bin/sh
# climb.sh [STEP...] - what limits a step: ncu's counters of its kernel at n = 4096, and those of cuBLAS SGEMM; without
# an argument, of every step of the ladder. Needs a GPU whose counters may be read, and what `make BACKEND=gpu` and `make bench` have
# built.
set -eu
cd "$(dirname "$0")/.."
steps=$*
[ -n "$steps" ] || steps=$(mk/ladder.sh | grep -vxF "$(dirname [0-9][0-9]_*/matmult.c)")
metrics=smsp__inst_executed.sum,smsp__inst_executed_pipe_fma.sum,smsp__inst_executed_op_shared_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics=$metrics,smsp__issue_active.avg.pct_of_peak_sustained_active,smsp__cycles_active.avg
for reason in barrier dispatch_stall long_scoreboard math_pipe_throttle mio_throttle no_instruction not_selected \
    short_scoreboard wait; do
    metrics=$metrics,smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio
done
count() { # kernel command...
    kernel=$1
    shift
    timeout 60 ncu --clock-control none -k "regex:$kernel" -c 1 --section LaunchStats \
        --metrics "$metrics" "$@" |
        grep -E 'smsp__|l1tex__|Registers Per|Block Size|Grid Size|Shared Memory Per Block|==ERROR' || true
}
for step in $steps; do
    echo "$step"
    count matmult_kernel "./build/gpu/$step/run" -n 4096
done
object=build/gpu/bench/cublas_sgemm.o
if [ -f $object ]; then # in a step's program: the benchmark forks, and ncu does not like that
    echo "cublas_sgemm"
    objcopy --redefine-sym matmultCUDA_cublas_sgemm=matmultCUDA $object build/gpu/bench/sgemm.o
    set -- [0-9][0-9]_*/matmult.cu [0-9][0-9]_*/matmult.c # the first step's facts, and the first of C as the reference
    facts=build/gpu/${1%/*}/facts.o
    while [ "${1%.c}" = "$1" ]; do shift; done
    g++ build/gpu/common/main.o "$facts" build/gpu/backend.o build/gpu/bench/sgemm.o "build/gpu/${1%.c}.o" \
        build/gpu/libcommon.a -L/usr/local/cuda/lib64 -Wl,-rpath,/usr/local/cuda/lib64 -lcublas -lcudart -lm \
        -o build/gpu/bench/sgemm
    count 'ffma|sgemm' ./build/gpu/bench/sgemm -n 4096
fi
