#!/usr/bin/env python3
"""ncu_kernels.py OUT.csv [N...] - counts of each kernel of steps 08 and up, by ncu on a GPU and by inspect on the CPU.

Runs in the root of the repository after `make`; STEPS names some steps only. Launches of one name are summed, whatever their template arguments; of
wavefronts.cu, which it builds, n is the pattern of addresses. Rows where both sides have 0 are left out.
"""
import csv
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

GLOBAL = "pipe_lsu_mem_global_op_"
SHARED = "l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
# inspect's count (its path in the JSON) and the metrics of ncu that it is the sum of
COUNTS = [
    (("global", "load", "requests"), [f"l1tex__t_requests_{GLOBAL}ld"]),
    (("global", "load", "sectors"), [f"l1tex__t_sectors_{GLOBAL}ld"]),
    (("global", "store", "requests"), [f"l1tex__t_requests_{GLOBAL}st"]),
    (("global", "store", "sectors"), [f"smsp__sass_l1tex_t_sectors_{GLOBAL}st"]),
    (("global", "store", "sectors"), [f"l1tex__t_sectors_{GLOBAL}st"]),
    (("global", "atomic", "requests"), [f"l1tex__t_requests_{GLOBAL}atom", f"l1tex__t_requests_{GLOBAL}red"]),
    (("global", "atomic", "sectors"), [f"l1tex__t_sectors_{GLOBAL}atom", f"l1tex__t_sectors_{GLOBAL}red"]),
    (("shared", "load", "wavefronts"), [f"smsp__sass_{SHARED}ld", f"smsp__sass_{SHARED}ldsm"]),
    (("shared", "store", "wavefronts"), [f"smsp__sass_{SHARED}st", f"smsp__sass_{SHARED}ldgsts"]),
    (("shared", "atomic", "wavefronts"), [f"smsp__sass_{SHARED}atom"]),
    (("bulk", "load_bytes"), ["l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld"]),
    (("bulk", "store_bytes"), ["l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st"]),
    (("bulk", "operand_bytes"), ["smsp__sass_data_bytes_mem_shared_op_gmma"]),
]
NAMES = {"load_bytes": "bytes of bulk loads", "store_bytes": "bytes of bulk stores",
         "operand_bytes": "bytes of wgmma operands"}
# of the wavefronts, what ncu alone tells apart
PARTS = [
    ("ordinary loads", f"smsp__sass_{SHARED}ld"),
    ("ldmatrix", f"smsp__sass_{SHARED}ldsm"),
    ("ordinary stores", f"smsp__sass_{SHARED}st"),
    ("cp.async", f"smsp__sass_{SHARED}ldgsts"),
    ("loads and ldmatrix by the hardware's counter", f"l1tex__{SHARED[6:]}ld"),
    ("stores by the hardware's counter", f"l1tex__{SHARED[6:]}st"),
]
METRICS = sorted({name for _, names in COUNTS for name in names} | {name for _, name in PARTS})
PATTERNS = 6  # of wavefronts.cu


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def base_name(kernel):
    return kernel.removeprefix("void ").split("(")[0].split("<")[0]


def count_by_ncu(program, n_arguments):
    """({kernel: {metric: sum}} in the order of the launches, SMs)."""
    metrics = ",".join(f"{name}.sum" for name in METRICS)
    out = ask("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--metrics", metrics, program, *n_arguments)
    rows = [row for row in csv.reader(out.splitlines()) if len(row) > 5]
    kernels = {}
    for row in rows[2:]:  # the second has the units
        values = dict(zip(rows[0], row))
        sums = kernels.setdefault(base_name(values["Kernel Name"]), dict.fromkeys(METRICS, 0))
        for name in METRICS:
            sums[name] += int(float(values[f"{name}.sum"].replace(",", "")))
    return kernels, values["device__attribute_multiprocessor_count"]


def count_by_inspect(program, n_arguments, sms):
    """{kernel: {path: sum}}, in the order of the launches."""
    file = f"build/ncu_{'_'.join(program.split('/'))}_{n_arguments[-1]}.json"
    options = {"CUDACPU_INSPECT_WHOLE": "1", "CUDACPU_MULTIPROCESSORS": sms}
    # its status is not asked: the stores of wavefronts.cu race, which is a fault
    subprocess.run([program, *n_arguments, "--json", file], env=os.environ | options, stdout=subprocess.DEVNULL)
    with open(file) as text:
        report = json.load(text)
    os.remove(file)
    assert not report["approximate"] and not report["sampled"]
    kernels = {}
    for kernel in report.get("kernels", [report]):
        sums = kernels.setdefault(base_name(kernel["kernel"]), {path: 0 for path, _ in COUNTS})
        for path in sums:
            value = kernel
            for key in path:
                value = value[key]
            sums[path] += value
    return kernels


def compare(step, n, by_ncu, by_inspect):
    """Rows of the table."""
    assert list(by_ncu) == list(by_inspect), (list(by_ncu), list(by_inspect))
    rows = []
    for kernel, counts in by_inspect.items():
        for path, names in COUNTS:
            ncu, inspect = sum(by_ncu[kernel][name] for name in names), counts[path]
            if ncu or inspect:
                percent = f"{100 * (inspect - ncu) / ncu:.2f}" if ncu else ""
                metric = " + ".join(f"{name}.sum" for name in names)
                rows.append([step, n, kernel, NAMES.get(path[-1], " ".join(path)), metric, ncu, inspect, percent])
        rows += [[step, n, kernel, f"shared wavefronts of {part}", f"{name}.sum", by_ncu[kernel][name], "", ""]
                 for part, name in PARTS if by_ncu[kernel][name]]
    return rows


def is_of_the_article(step):
    with open(f"{step}/step.conf") as conf:
        return any(line.startswith("article-total") for line in conf)


def main():
    sizes = sys.argv[2:] or ["512", "1000"]
    source, on_gpu, on_cpu = "gpu/wavefronts.cu", "build/gpu/wavefronts", "build/inspect/wavefronts"
    ask("nvcc", "-O3", "-arch=native", source, "-o", on_gpu)
    ask("cudacpu/cpucc", "--inspect", source, "-o", on_cpu)
    jobs = [(step, n, f"build/gpu/{step}/run", f"{step}/inspect", ["-n", n])
            for step in os.environ.get("STEPS", "").split() or ask("mk/ladder.sh").split()
            if os.path.exists(f"{step}/inspect") and not is_of_the_article(step) for n in sizes]
    if "STEPS" not in os.environ:
        jobs += [("wavefronts", pattern, on_gpu, on_cpu, [str(pattern)]) for pattern in range(PATTERNS)]
    sms = count_by_ncu(on_gpu, ["0"])[1]
    rows = []
    with ThreadPoolExecutor(max(1, os.cpu_count() // 2)) as pool:  # inspect in the background, ncu one by one
        inspected = [pool.submit(count_by_inspect, on_cpu, arguments, sms) for _, _, _, on_cpu, arguments in jobs]
        for (step, n, on_gpu, _, arguments), by_inspect in zip(jobs, inspected):
            rows += compare(step, n, count_by_ncu(on_gpu, arguments)[0], by_inspect.result())
    gpu = ask("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()[0]
    cuda = ask("nvcc", "--version").split("release ")[1].split(",")[0]
    commit = os.environ.get("COMMIT") or ask("git", "rev-parse", "--short", "HEAD").strip()
    with open(sys.argv[1], "w") as file:
        file.write(f"# {gpu}, CUDA {cuda}, commit {commit}; inspect with CUDACPU_MULTIPROCESSORS={sms}\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["step", "n", "kernel", "count", "metric", "ncu", "inspect", "difference_percent"])
        out.writerows(rows)


main()
