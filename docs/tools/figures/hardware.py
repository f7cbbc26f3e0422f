"""Numbers of the two GPUs, each with its source. What was measured comes from docs/results."""
import re

import results

# NVIDIA, H200 Tensor Core GPU datasheet: 141 GB HBM3e, 4.8 TB/s; tensor cores, dense (half of what it gives with
# sparsity, but for doubles): 8-bit integers 1979 TOP/s, TF32 494 TFLOP/s, FP64 67 TFLOP/s.
# CUDA C++ Programming Guide, compute capability 9.0: 255 registers a thread. The rest is what the
# device itself says, in docs/results/device_gpu.txt.
with open("docs/results/device_gpu.txt", encoding="utf-8") as file:
    SAID = {what: int(number) for number, what in re.findall(r"^(\d+) (.*)$", file.read(), re.M)}
H200 = {
    "SMs": SAID["SMs"],
    "registers": SAID["registers in an SM"],
    "thread registers": 255,
    "block shared KB": SAID["bytes of it for a block at most"] // 1024,
    "L2 MB": SAID["bytes of L2 cache"] // 2**20,
    "memory GB": 141,
    "TB/s": 4.8,
    "int8 TOP/s": 1979,
    "TF32 TFLOP/s": 494,
    "FP64 TFLOP/s": 67,
}
PCIE = {"GB/s": 63}  # PCIe 5 x16, each way, by its specification
# NVIDIA, GeForce 8800GT: 57.6 GB/s. CUDA Programming Guide 1.1, appendix A, compute capability 1.1:
# 14 SMs, 8,192 registers and 16 KB of shared memory an SM, global memory without a cache.
GEFORCE = {"SMs": 14, "registers": 8192, "block shared KB": 16, "GB/s": 57.6}


def benchmark_ceilings():
    """{"FMA": TFLOP/s, "copy": TB/s, read and written} of an H200: from the benchmark's header."""
    with open(results.benchmark_path(), encoding="utf-8") as file:
        fma, copy = re.search(
            r"float FMA ([\d.]+) TFLOP/s.* copy ([\d.]+) TB/s", file.read()
        ).groups()
    return {"FMA": float(fma), "copy": float(copy)}


def host_copies(n):
    """(bytes, seconds) of three matrices on their way between host and device, pageable memory: the
    total less the kernel of a step that copies, computes and copies back, allocation included.
    """
    row = results.totals(n)["07_padded_noif"]
    return 3 * 4 * n**2, float(row["total_s"]) - float(row["kernel_s"])
