#!/usr/bin/env python3
"""A row for each step from what ncu says of `sm steps N` (bench/sm.sh): bytes and time of all its
kernels together, the rest of the longest one.

    bench/sm/counters.py NCU.csv... >COUNTERS.csv
"""
import csv
import glob
import os
import sys

SCALE = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
TIMES = {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
STALL = "smsp__average_warps_issue_stalled_"
ALL = {  # of all kernels of a step
    "time_us": ("gpu__time_duration.sum",),
    "memory_MB": ("dram__bytes_read.sum", "dram__bytes_write.sum"),
    "memory_read_MB": ("dram__bytes_read.sum",),
    "l2_read_MB": ("l1tex__m_xbar2l1tex_read_bytes.sum",),
}
LONGEST = {
    "kernel_us": "gpu__time_duration.sum",
    "issue_percent": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "warps_percent": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "instructions": "smsp__inst_executed.sum",
    "lanes": "smsp__thread_inst_executed_per_inst_executed.ratio",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "load_sectors_l1_hit": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
    "l2_sectors_hit": "lts__t_sectors_srcunit_tex_lookup_hit.sum",
}

WANTED = {*LONGEST.values(), *(metric for metrics in ALL.values() for metric in metrics)}


def in_base(text, unit):
    """Microseconds, bytes, or the plain number."""
    value = float(text.replace(",", ""))
    if unit in TIMES:
        return value * TIMES[unit]
    if unit.endswith("byte"):
        return value * SCALE[unit.removesuffix("byte")]
    return value


def kernels(path):
    """(name, blocks, {metric: value}) of each launch, in order."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith('"')]
    rows = csv.reader(lines)
    names, units = next(rows), next(rows)
    for row in rows:
        cell = dict(zip(names, row))
        blocks = 1
        for part in cell["Grid Size"].strip("()").split(","):
            blocks *= int(part)
        values = {}
        for name, unit, text in zip(names, units, row):
            if name in WANTED or name.startswith(STALL) and text:
                values[name] = in_base(text, unit)
        yield cell["Kernel Name"], blocks, values


def main():
    steps = {path[:2]: path for path in sorted(glob.glob("[0-9][0-9]_*")) if os.path.isdir(path)}
    found = {}
    for path in sys.argv[1:]:
        own = None
        for name, blocks, values in kernels(path):
            if "marker_kernel" in name:
                own = found.setdefault(steps[f"{blocks:02d}"], [])
            elif own is not None and "busy_kernel" not in name:
                own.append(values)
    stalls = sorted({m for launches in found.values() for v in launches for m in v if m.startswith(STALL)})
    short = [m.removeprefix(STALL).removesuffix("_per_issue_active.ratio") for m in stalls]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["step", "n", "launches", *ALL, *LONGEST, *short])
    for step, launches in sorted(found.items()):
        longest = max(launches, key=lambda values: values[LONGEST["kernel_us"]])
        row = [step, 4096, len(launches)]
        for column, metrics in ALL.items():
            total = sum(values.get(metric, 0) for values in launches for metric in metrics)
            row.append(f"{total / 1e6 if column.endswith('MB') else total:.2f}")
        row += [f"{longest[m]:.12g}" if m in longest else "" for m in (*LONGEST.values(), *stalls)]
        out.writerow(row)


if __name__ == "__main__":
    main()
