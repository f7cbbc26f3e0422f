#!/usr/bin/env python3
"""README.md's table of the steps, from the results files. Without arguments writes it between <!--
ladder --> and <!-- /ladder -->; with --check only says (exit status 1) when what stands there is
stale."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import results

BEGIN, END = "<!-- ladder -->\n", "<!-- /ladder -->"


def error(row):
    """2^-23 and 2^-24 are known by three digits; others by two."""
    value = float(row["max_error"])
    return (f"{value:.2e}" if abs(value - 2.0**-23) < 1e-12 else f"{value:.1e}").replace(
        "e-0", "e-"
    )


def table():
    lines = [
        "| step | what is new | 8800GT, 2008: total s (GFLOPS) | CPU, 2 cores: total s "
        "| H200: kernel ms (GFLOPS) | H200, n = 8192: TFLOP/s (cuBLAS SGEMM = 1) | max error |",
        "|---|---|---|---|---|---|---|",
    ]
    article, measured, benchmark, large = (
        results.article(),
        results.measured(),
        results.benchmark(results.SIZE),
        results.benchmark(8192),
    )
    for step in results.steps():
        by = measured.get(step, {})
        gpu, at_8192 = benchmark.get(step) or by.get("gpu"), large.get(step)
        any_row = by.get("gpu") or by.get("none") or by.get("cpu")
        cells = [
            f"[{step}](docs/{step}.md)",
            results.idea(step),
            f"{article[step]:.4f} ({2e-9 * results.SIZE ** 3 / article[step]:.2f})"
            if step in article
            else "",
            f"{float(by['cpu']['total_s']):.2f}" if "cpu" in by else "",
            f"{1e3 * float(gpu['kernel_s']):.3f} ({results.gflops(gpu):.0f})" if gpu else "",
            f"{float(at_8192['tflops']):.1f} ({float(at_8192['to_sgemm']):.2f})" if at_8192 else "",
            error(any_row) + (" (exact sum)" if "none" in by else "") if any_row else "",
        ]
        lines.append(
            ("| " + " | ".join(cells) + " |").replace("|  |", "| |").replace("|  |", "| |")
        )
    return "\n".join(lines) + "\n"


def main():
    with open("README.md", encoding="utf-8") as file:
        text = file.read()
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        sys.exit(f"README.md: no {BEGIN.strip()} ... {END}")
    begin += len(BEGIN)
    new = text[:begin] + "\n" + table() + "\n" + text[end:]
    if new == text:
        print("README.md: the ladder is that of docs/results")
    elif "--check" in sys.argv:
        sys.exit("README.md: the ladder is stale: 'make ladder' makes it anew")
    else:
        with open("README.md", "w", encoding="utf-8") as file:
            file.write(new)
        print("README.md: the ladder was written")


if __name__ == "__main__":
    main()
