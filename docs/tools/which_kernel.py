#!/usr/bin/env python3
"""docs/which_kernel.md's tables, from the one run of the benchmark: which step for which n, and the products beside
them. Without arguments writes them between their comments (<!-- kernels --> and others); with --check only says (exit
status 1) when what stands there is stale."""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import ladder
import lookups
import one_run
import region
import results
from book.contents import find_parts

PAGE = "docs/which_kernel.md"
TIE = 0.10  # a step may miss so much of the fastest one's speed, if it spares another row
WHOLE_CALL = "the whole call"  # in the name of the part whose steps are for more than the kernel
LIBRARY = "cublas_sgemm"
NAMES = {
    "cublas_sgemm": "cuBLAS SGEMM",
    "cublas_tf32": "cuBLAS TF32",
    "cublas_dgemm": "cuBLAS DGEMM",
    "cublas_xt": "cublasXt",
    "cublas_xt_pinned": "cublasXt, matrices in pinned memory",
}
NEEDS = {"": "any", "sm_80": "8.0", "sm_90": "9.0", "sm_90a": "9.0a, Hopper alone"}
Choice = collections.namedtuple("Choice", "step sizes")


def speeds(file):
    """{program: {n: row}}"""
    found = collections.defaultdict(dict)
    for row in results.rows(f"{lookups.RESULTS}/{file}"):
        found[row["step"]][int(row["n"])] = row
    return found


def uniform():
    return speeds(one_run.FIRST)


def normal():
    """Standard normal operands. Steps without a bound of what they have computed do the same work for all finite
    products, so that where one was not measured its time on uniform operands stands for it."""
    found = speeds("bench_normal.csv")
    for step, rows in uniform().items():
        if step in results.steps() and "rejected" not in results.step_conf(step):
            for n, row in rows.items():
                found[step].setdefault(n, {**row, "max_error": None})
    return found


def of_one_kernel():
    """The steps of the parts before that of the whole call."""
    with open("docs/README.md", encoding="utf-8") as file:
        parts = find_parts(file.read())
    wholes = {page for part, pages in parts.items() if WHOLE_CALL in part.lower() for page in pages}
    return [step for step in results.steps() if step not in wholes]


def keep(everything):
    """The steps that keep 1e-6: on uniform operands, or on all."""
    kept = []
    for step in of_one_kernel():
        conf = results.step_conf(step)
        if conf.get("tolerance") == "1e-6" and not (everything and conf.keys() & {"length", "largest"}):
            kept.append(step)
    return kept


def speed(rows, step, n):
    """In multiples of cuBLAS SGEMM, 0 where it was not measured."""
    return float(rows[step][n]["to_sgemm"]) if n in rows[step] else 0


def choose(rows, steps):
    """[Choice]: few steps, each with at least 1 - TIE of the fastest one's speed at each of its n. From the smallest n on, the one
    that stays so longest; of several the last of the ladder."""
    sizes, chosen = sorted(rows[LIBRARY]), []
    good = lambda step, n: speed(rows, step, n) >= (1 - TIE) * max(speed(rows, one, n) for one in steps)
    while sizes:
        reach = {}
        for step in steps:
            reach[step] = next((i for i, n in enumerate(sizes) if not good(step, n)), len(sizes))
        step = max(steps, key=lambda one: (reach[one], one))
        chosen.append(Choice(step, sizes[: reach[step]]))
        sizes = sizes[reach[step] :]
    return chosen


def error(value):
    return re.sub(r"e-0*", "e-", f"{value:.1e}")


def span(numbers, shown):
    low, high = shown(min(numbers)), shown(max(numbers))
    return low if low == high else f"{low} to {high}"


def largest(rows, step, sizes):
    """The largest error at these sizes; where it was not measured at any of them, that of the smallest with its n."""
    errors = {n: float(row["max_error"]) for n, row in rows[step].items() if row["max_error"]}
    there = [errors[n] for n in sizes if n in errors]
    return error(max(there)) if there else f"{error(errors[min(errors)])} at n = {min(errors)}"


def kernels():
    lines = [
        "| operands | n | take | compute capability | times cuBLAS SGEMM | slower than it at n = | largest error | SGEMM's |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for words, rows, steps in (
        ("uniform", uniform(), keep(False)),
        ("normal", normal(), keep(True)),
    ):
        for step, sizes in choose(rows, steps):
            multiples = [speed(rows, step, n) for n in sizes]
            slower = [str(n) for n in sizes if speed(rows, step, n) < 1]
            lines.append(
                f"| {words} | {span(sizes, str)} | [{step}]({step}.md) "
                f"| {NEEDS[results.step_conf(step).get('target', '')]} "
                f"| {span(multiples, lambda one: f'{one:.2f}')} "
                f"| {', '.join(slower) or 'none'} "
                f"| {largest(rows, step, sizes)} | {largest(rows, LIBRARY, sizes)} |"
            )
    return lines


def last():
    return of_one_kernel()[-1]


def products():
    shown = (LIBRARY, "cublas_dgemm", "cublas_tf32", last())
    lines = [
        "| product | operands | n = 1000: ms | TFLOP/s | largest error | n = 8192: ms | TFLOP/s | largest error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in shown:
        for words, rows in (("uniform", uniform()), ("normal", normal())):
            cells = [NAMES.get(name, f"step [{name}]({name}.md)"), words]
            for n in (results.SIZE, ladder.LARGE):
                row = rows[name][n]
                cells += [
                    ladder.milliseconds(row, "kernel_s"),
                    f"{float(row['tflops']):#.3g}".rstrip("."),
                    error(float(row["max_error"])),
                ]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def whole_calls():
    """The steps of the whole call that use one device, by their step.conf."""
    return [
        step
        for step in results.steps()
        if step > last() and results.step_conf(step).get("devices", "one") == "one"
    ]


def calls():
    sizes = (results.SIZE, ladder.LARGE, 16384)
    by_size = {n: results.totals(n) for n in sizes}
    lines = [
        "| call | " + " | ".join(f"n = {n}: total, ms | first call, ms" for n in sizes) + " |",
        "|---" * (1 + 2 * len(sizes)) + "|",
    ]
    for name in (*whole_calls(), last(), LIBRARY, "cublas_xt", "cublas_xt_pinned"):
        cells = [NAMES.get(name, f"step [{name}]({name}.md)")]
        for n in sizes:
            row = by_size[n].get(name)
            cells += [ladder.milliseconds(row, column) or "-" for column in ("total_s", "first_s")]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def work_of(note):
    """What the last step does with operands, by its note at the larger n: (order, words)."""
    if "all was computed in double" in note:
        return 3, "all of C again, in double"
    found = re.match(r"of (\d+) sub-tiles (\d+) got the next products, (\d+) were computed in double", note)
    if not found:
        return 0, "nothing more"
    all_of_them, following, in_double = map(int, found.groups())
    if following + in_double == all_of_them:
        return 2, "a second pass over all of C"
    return 1, "a part of C again"


def kinds():
    """[(words, names, {n: multiples})]"""
    rows = results.rows(f"{lookups.RESULTS}/bench_operands.csv")
    sizes = sorted({int(row["n"]) for row in rows})
    own = [row for row in rows if row["step"] == last()]
    name = lambda row: (row["operands"], row["outlier"], row["factor"])
    work = {name(row): work_of(row["note"]) for row in own if int(row["n"]) == sizes[-1]}
    groups = collections.defaultdict(lambda: (dict(), collections.defaultdict(list)))
    for row in own:
        names, multiples = groups[work[name(row)]]
        kind = re.sub(r" \([AB]\)", "", row["operands"])
        if row["outlier"] == "none":
            names[kind] = []
        else:
            large = names.setdefault(f"{kind} with a large", [])
            large += [row["outlier"]] * (row["outlier"] not in large)
        multiples[int(row["n"])].append(float(row["to_sgemm"]))
    return sizes, [(words, names, multiples) for (_, words), (names, multiples) in sorted(groups.items())]


def operands():
    sizes, groups = kinds()
    lines = [
        "| what is computed again | kinds of operands | "
        + " | ".join(f"n = {n}: times cuBLAS SGEMM" for n in sizes) + " |",
        "|---" * (2 + len(sizes)) + "|",
    ]
    for words, names, multiples in groups:
        cells = [words, ", ".join(f"{kind} {' or '.join(large)}".strip() for kind, large in names.items())]
        cells += [span(multiples[n], lambda one: f"{one:.2f}") for n in sizes]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def main():
    for name, lines in (
        ("kernels", kernels()),
        ("products", products()),
        ("operands", operands()),
        ("calls", calls()),
    ):
        text = "\n" + "\n".join(lines) + "\n\n"
        region.write(PAGE, name, text, lookups.RESULTS, "make ladder")


if __name__ == "__main__":
    main()
