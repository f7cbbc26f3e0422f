#!/usr/bin/env python3
"""docs/ladder.md's table of the steps, from the results files. Without arguments writes it between
<!-- ladder --> and <!-- /ladder -->; with --check only says (exit status 1) when what stands there
is stale."""
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import region
import results

LARGE = 8192
OTHERS = {  # rows below the steps', and what stands in their first two cells
    "cublas_sgemm": "cuBLAS SGEMM | NVIDIA's library",
    "cublas_xt": "cublasXt | the same for matrices in the host's memory",
}


def milliseconds(row, column):
    """Three digits, or all before the point."""
    if not row:
        return ""
    value = 1e3 * float(row[column])
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}"


def table():
    lines = [
        "| step | what is new | 8800GT, 2008: total, s "
        f"| H200, n = {results.SIZE}: kernel, ms | total, ms "
        f"| n = {LARGE}: kernel, ms | total, ms | kernel, cuBLAS SGEMM = 1 | max error |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    article, measured = results.article(), results.measured()
    kernel = {n: results.benchmark(n) for n in (results.SIZE, LARGE)}
    total = {n: results.totals(n) for n in (results.SIZE, LARGE)}
    ideas = {step: f"[{step}]({step}.md) | {results.idea(step)}" for step in results.steps()}
    for name, words in {**ideas, **OTHERS}.items():
        by_n = {n: kernel[n].get(name) for n in kernel}
        exact = measured.get(name, {}).get("none")
        shown = exact or by_n[results.SIZE]
        cells = [words, f"{article[name]:.3f}" if name in article else ""]
        for n, row in by_n.items():
            cells += [
                milliseconds(row, "kernel_s"),
                milliseconds(total[n].get(name), "total_s"),
            ]
        cells += [
            f"{float(by_n[LARGE]['to_sgemm']):.2f}" if by_n[LARGE] else "",
            f"{float(shown['max_error']):.1e}".replace("e-0", "e-") if shown else "",
        ]
        lines.append(
            ("| " + " | ".join(cells) + " |").replace("|  |", "| |").replace("|  |", "| |")
        )
    return "\n".join(lines) + "\n"


def main():
    region.write("docs/ladder.md", "ladder", f"\n{table()}\n", "docs/results", "make ladder")


if __name__ == "__main__":
    main()
