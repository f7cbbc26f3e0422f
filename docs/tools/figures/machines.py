"""Host and device, and the memories of a GPU, with their sizes and rates."""
import one_run
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, arrow, box, dashed_frame, svg, text
from figures.hardware import GEFORCE, H200, benchmark_ceilings, host_copies


def draw_machine():
    n = 8192
    ceilings, (moved, seconds) = benchmark_ceilings(), host_copies(n)
    left, right, wide_left, wide_right = 12, 470, 200, 316
    body = [text(left, 20, "host", BOLD), text(right, 20, "device: an H200", BOLD)]
    body += box(left, 34, wide_left, 66, "CPU|runs main, matmultCUDA", BLOCK) + box(
        left, 156, wide_left, 66, "host memory|a, b, c", WARP
    )
    body += box(
        right,
        34,
        wide_right,
        66,
        f"GPU, {H200['SMs']} SMs|runs the kernel|"
        f"{ceilings['FMA']:g} TFLOP/s of float FMA, measured",
        BLOCK,
    )
    body += box(
        right,
        156,
        wide_right,
        66,
        f"device memory, {H200['memory GB']} GB|device_a, device_b, device_c",
        REQUEST,
    )
    middle = (left + wide_left + right) / 2
    body += [
        arrow(left + wide_left + 4, 67, right - 4, 67),
        text(middle, 59, "launch", MIDDLE),
        arrow(left + wide_left + 4, 176, right - 4, 176),
        arrow(right - 4, 202, left + wide_left + 4, 202),
        text(middle, 168, "cudaMemcpy: a, b", MIDDLE),
        text(middle, 220, "cudaMemcpy: c", MIDDLE),
        text(middle, 240, f"about {moved / seconds / 1e9:.0f} GB/s, measured", MIDDLE),
        arrow(left + wide_left / 2, 104, left + wide_left / 2, 152),
        arrow(right + wide_right / 2, 104, right + wide_right / 2, 152),
        text(right + wide_right / 2 + 14, 126, f"{H200['TB/s']:g} TB/s;"),
        text(right + wide_right / 2 + 14, 143, f"copied {ceilings['copy']:g}, measured"),
        text(
            left,
            270,
            f"Measured: {one_run.FIRST}, bench_total.csv; host and device at n = {n}: "
            f"{moved / 1e9:.1f} GB in {seconds:.3f} s, allocation included.",
        ),
    ]
    return svg(
        right + wide_right + 12,
        284,
        "Host and device: each works in its own memory, copies join them",
        body,
    )


def draw_memory():
    ceilings = benchmark_ceilings()
    body, wide, thread_wide, columns = [], 290, 86, (620, 790)
    for block in range(2):
        x = 12 + (wide + 16) * block
        body += [dashed_frame(x, 32, wide, 196), text(x + 12, 52, f"block {block}")]
        for thread in range(3):
            own = x + 8 + (thread_wide + 8) * thread
            body += [
                *box(own, 62, thread_wide, 56, f"thread {thread}|registers", BLOCK),
                arrow(own + thread_wide / 2, 122, own + thread_wide / 2, 152),
            ]
        body += [
            *box(
                x + 8,
                156,
                wide - 16,
                60,
                "shared memory: this block's|threads, while it runs",
                WARP,
            ),
            arrow(x + wide / 2, 232, x + wide / 2, 262),
        ]
    across = 2 * wide + 16
    body += [
        *box(12, 266, across, 44, "L2 cache", BLOCK),
        arrow(12 + across / 2, 314, 12 + across / 2, 340),
    ]
    body += box(
        12,
        344,
        across,
        60,
        "global memory: every thread of every block,|"
        "from cudaMalloc to cudaFree; the largest, and the slowest",
        REQUEST,
    )
    rows = (
        (
            84,
            (f"{H200['registers']:,} an SM,", f"{H200['thread registers']} a thread at most"),
            (f"{GEFORCE['registers']:,} an SM",),
        ),
        (
            180,
            (f"{H200['block shared KB']} KB a block", "at most"),
            (f"{GEFORCE['block shared KB']} KB a block", "at most"),
        ),
        (284, (f"{H200['L2 MB']} MB",), ("none",)),
        (
            362,
            (
                f"{H200['memory GB']} GB, {H200['TB/s']:g} TB/s;",
                f"{ceilings['copy']:g} TB/s measured",
            ),
            (f"{GEFORCE['GB/s']:g} GB/s",),
        ),
    )
    for x, name, number in ((columns[0], "H200", 1), (columns[1], "8800GT, 2008", 2)):
        body += [text(x, 20, name, BOLD), text(x, 44, f"{(H200, GEFORCE)[number - 1]['SMs']} SMs")]
        for row in rows:
            body += [
                text(x, row[0] + 17 * at + (9 if len(row[number]) == 1 else 0), line)
                for at, line in enumerate(row[number])
            ]
    return svg(914, 416, "The memories of a GPU, from a thread's registers down", body)


def pictures():
    yield "machine.svg", draw_machine()
    yield "memory.svg", draw_memory()
