#!/bin/sh
# sm.sh DIR - what the streaming multiprocessors and memories of this machine's GPU do, as CSV in DIR: the raw data of
# the chapters on the SM, on profilers and on failures. Needs `make BACKEND=gpu build/gpu/sm/sm`, builds nothing, takes
# about a minute. Counters, machine code and compute-sanitizer's words are left out where their tools are not.
set -eu
out=${1:?usage: bench/sm.sh DIR}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/.."
sm=build/gpu/sm/sm
mkdir -p "$out"

{
    echo "# device, driver, clocks allowed (SM, memory):" \
        "$(nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,clocks.max.mem --format=csv,noheader)"
    echo "# CUDA: $(cat build/gpu/sm/compiler 2>/dev/null || echo unknown)"
    echo "# commit: $(cat build/gpu/sm/commit 2>/dev/null || echo unknown)"
} >"$out/head"
cat "$out/head" >"$out/sm.csv"
for table in latency rates little_fma little_memory divergence banks launches; do
    echo "$table" >&2
    { echo "# table: $table"; timeout 30 $sm $table || echo "# failed: $?"; } >>"$out/sm.csv"
done

# What CUDA says, and what compute-sanitizer says of the same program.
{
    cat "$out/head"
    $sm failing || echo "# status $?"
    if command -v compute-sanitizer >/dev/null; then
        printf '\n# compute-sanitizer build/gpu/sm/sm failing\n'
        timeout 30 compute-sanitizer $sm failing 2>&1 || true
    fi
} >"$out/sm_failing.txt"

# Machine code of 06's kernel, and the profiler's counters of the steps' kernels at n = 4096.
if command -v cuobjdump >/dev/null; then
    { cat "$out/head"; cuobjdump -sass build/gpu/sm/06_tiled.o; } >"$out/sm_06_tiled.sass"
fi
if command -v ncu >/dev/null; then
    wanted="gpu__time_duration.sum dram__bytes_read.sum dram__bytes_write.sum l1tex__m_xbar2l1tex_read_bytes.sum
        lts__t_sectors_srcunit_tex.sum lts__t_sectors_srcunit_tex_lookup_hit.sum lts__t_sectors.sum
        l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
        l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum
        l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
        smsp__inst_executed.sum smsp__thread_inst_executed_per_inst_executed.ratio
        smsp__issue_active.avg.pct_of_peak_sustained_active sm__warps_active.avg.pct_of_peak_sustained_active"
    for reason in barrier dispatch_stall gmma lg_throttle long_scoreboard math_pipe_throttle mio_throttle no_instruction \
        not_selected selected short_scoreboard wait; do
        wanted="$wanted smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio"
    done
    ncu --query-metrics --chip gh100 >"$out/known" 2>/dev/null || true
    metrics=
    for metric in $wanted; do
        grep -q "^${metric%%.*} " "$out/known" && metrics=$metrics,$metric
    done
    count() { # file step...
        file=$1
        shift
        { cat "$out/head"; timeout 60 ncu --clock-control none --csv --page raw --metrics "${metrics#,}" \
            $sm steps 4096 "$@" 2>&1 || true; } >"$out/$file"
    }
    count sm_ncu_1.csv 02_naive_cuda 06_tiled 09_register_tiled 10_vectorized 11_occupancy 12_async_copy 17_stages
    count sm_ncu_2.csv 03_kahan 04_row_shared 05_pitched 07_padded_noif 08_blocked_sum 14_int8_slices 15_tensor_core \
        16_warp_tiles 20_wgmma 24_clusters
    count sm_ncu_3.csv 18_packed_tiles 19_bulk_copy 21_warp_specialized 22_persistent
    rm -f "$out/known"
fi
rm -f "$out/head"
