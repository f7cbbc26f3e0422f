"""The figures of the ladder, step by step: from docs/results/*.csv, and what a step says of itself,
in its step.conf."""
import glob
import os
import re
import sys

import lookups
import one_run

SIZE = 1000  # n of the article, and of the ladder
FIRST = (
    "bench_cpu.csv",
    "steps_cpu.csv",
)  # where a step was measured twice, these decide; the rest by name


def steps():
    return sorted(
        os.path.dirname(path)
        for path in glob.glob("[0-9][0-9]_*/matmult.c*")
        if os.path.exists(chapter(os.path.dirname(path))) and in_ladder(os.path.dirname(path))
    )


def in_ladder(step):
    return not os.path.exists(f"{step}/step.conf") or step_conf(step).get("ladder") != "no"


def chapter(step):
    return f"docs/{step}.md"


def idea(step):
    """What the step adds: the last cell of its row in docs/README.md; the chapter's title without
    the folder's name where there is none."""
    with open("docs/README.md", encoding="utf-8") as file:
        row = re.search(rf"^\|[^|]*\b{step}\b.*\|([^|]+)\|\s*$", file.read(), re.M)
    if row:
        return row[1].strip()
    with open(chapter(step), encoding="utf-8") as file:
        title = next(line for line in file if line.startswith("# "))
    return re.sub(r" \(`\w+`\)$", "", title[2:].strip())


def rows(path, table=""):
    """Of a CSV file; of one of its tables, below `# table: NAME`."""
    return [
        row
        for heading, row in lookups.rows_of(path)
        if not table or f"# table: {table}" in heading.split("\n")
    ]


def step_conf(step):
    """{key: text} of a step's step.conf: lines `key = value`; # begins a comment."""
    path, conf = f"{step}/step.conf", {}
    with open(path, encoding="utf-8") as file:
        for at, line in enumerate(file, 1):
            key, equals, value = line.partition("#")[0].partition("=")
            if equals and key.strip():
                conf[key.strip()] = value.strip()
            elif (key + value).strip():
                sys.exit(f"{path}:{at}: wants key = value")
    return conf


def at_size(formula, n):
    """The value of a formula in n, as in `loads = 2 n^3 / 16 + n^2`."""
    text = re.sub(r"(\d)\s*n\b", r"\1 * n", formula)
    return lookups.Expression(re.sub(r"\bn\b", str(n), text)).value()[0]


def article_table():
    """{step: (bytes that it loads, seconds in all, seconds of the kernel or 0)} on the article's
    card."""
    table = {}
    for step in steps():
        conf = step_conf(step) if os.path.exists(f"{step}/step.conf") else {}
        if "article-total" in conf:
            table[step] = (
                4 * at_size(conf["loads"], SIZE),
                float(conf["article-total"]),
                float(conf.get("article-kernel", 0)),
            )
    return table


def article():
    """{step: seconds in all} on the article's card."""
    return {step: total for step, (_, total, _) in article_table().items()}


def article_ceilings():
    """(GFLOPS of multiply-add, GB/s) of the 8800GT, as inspect's model of it has them."""
    with open("cudacpu/inspect/model.cpp", encoding="utf-8") as file:
        text = file.read()
    moved, seconds = re.search(
        r"STEP_05_BYTES = ([\d.e]+), STEP_05_KERNEL = ([\d.]+)", text
    ).groups()
    units, rate, clock = re.search(
        r'ARTICLE = \{"GeForce 8800GT", [^,]+, ([\d.]+), ([\d.]+), ([\d.e]+)\}', text
    ).groups()
    return (
        2e-9 * 32 * float(units) * float(rate) * float(clock),
        1e-9 * float(moved) / float(seconds),
    )


def measured():
    """{step: {"gpu": row, "cpu": row, "none": row}}: rows of `run --csv` at n = SIZE, each with its
    "file"."""
    found = {}
    paths = sorted(
        glob.glob("docs/results/*.csv"), key=lambda p: (os.path.basename(p) not in FIRST, p)
    )
    for path in paths:
        for row in rows(path):
            if {"step", "backend", "kernel_s", "hash"} <= row.keys() and int(row["n"]) == SIZE:
                found.setdefault(row["step"], {}).setdefault(
                    row["backend"], {**row, "file": os.path.basename(path)}
                )
    return found


def benchmark(n):
    """{step: row of the benchmark's kernels at n}."""
    return {row["step"]: row for row in rows(benchmark_path()) if int(row["n"]) == n}


def benchmark_path():
    return f"{lookups.RESULTS}/{one_run.FIRST}"


def totals(n):
    """{program: row of bench_total.csv at n}."""
    return {row["step"]: row for row in rows("docs/results/bench_total.csv") if int(row["n"]) == n}


def gflops(row):
    """Of the kernel alone, from a row of the benchmark."""
    return 1e3 * float(row["tflops"])
