#!/usr/bin/env python3
"""Holds the book against the repository: code against its file, output against a run, figures and
numbers against raw data, links against what is there. docs/tools/README.md says how a page marks
them.

    docs/tools/check.py [PAGE...]       from the root, after `make BACKEND=cpu`; when none is named:
                                        README.md, docs/*.md and docs/notes/*.md
    docs/tools/check.py --no-run ...    commands are not run
    docs/tools/check.py --no-cache ...  all of them are, also those whose output is known

Exit status 1 when something does not agree; each such place is one line, FILE:LINE: what. """
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import blocks
import glossary
import links
import one_run
import prose
import step_names
import tables
from lookups import command_of, lines_of
from runs import Runs

CHECKS = {
    "source": blocks.check_source,
    "diff": blocks.check_diff,
    "raw": blocks.check_raw,
    "table": tables.check,
}
COUNTED = ("source", "diff", "run", "raw", "table", "number")


def check_page(page, runs, unmarked, counts=None):
    """([(line, message)], numbers without a source) of a page that was read; without runs no
    command is run."""
    errors = list(page.errors)
    for block in page.blocks:
        if not block.kind:
            errors.append((block.line, "a block without a marker"))
            continue
        if counts is not None:
            counts[block.kind] = counts.get(block.kind, 0) + 1
        try:
            found = []
            if block.kind == "run" and runs:
                found = blocks.check_run(block, runs)
            elif block.kind in CHECKS:
                found = CHECKS[block.kind](block)
            errors += [(block.line + at, message) for at, message in found]
        except OSError as error:
            errors.append((block.line, f"{error.filename}: {error.strerror}"))
    for line, target in page.links:
        wrong = links.check_link(page, target)
        if wrong:
            errors.append((line, wrong))
    numbers, without = prose.check(page, unmarked, counts)
    return sorted(errors + numbers), without


def main():
    arguments = sys.argv[1:]
    named = [argument for argument in arguments if not argument.startswith("-")]
    wanted = named or [
        "README.md",
        *sorted(glob.glob("docs/*.md")),
        *sorted(glob.glob("docs/notes/*.md")),
    ]
    pages = [links.page_at(path) for path in wanted]
    runs = None if "--no-run" in arguments else Runs(cached="--no-cache" not in arguments)
    unmarked, counts, clean, wrong = prose.Unmarked(), {}, set(), 0
    if runs:
        runs.run_all(filter(None, (command_of(block) for page in pages for block in page.blocks)))
    for page in pages:
        errors, without = check_page(page, runs, unmarked, counts)
        for line, message in errors:
            print(f"{page.path}:{line}: {message}")
        if not without:
            clean.add(page.path)
        wrong += len(errors)
        sys.stdout.flush()
    whole = [
        f"{unmarked.path}:{line}: {message}"
        for line, message in unmarked.stale(wanted, clean, not named)
    ]
    if not named:
        whole += links.check_book() + links.check_linked() + step_names.check(links.tracked())
        whole += glossary.check("\n".join(lines_of(glossary.PATH))) + one_run.check()
    for message in whole:
        print(message)
    wrong += len(whole)
    print(
        f"{len(wanted)} pages; held against the repository: "
        + ", ".join(f"{counts.get(kind, 0)} {kind}" for kind in COUNTED)
        + f"; not checked: {counts.get('example', 0)} example"
        + ("" if runs else f", {counts.get('run', 0)} run")
        + (f"; numbers still to mark on {len(unmarked.todo)} pages" if unmarked.todo else "")
    )
    if runs:
        print(runs.summary())
    print(one_run.described())
    print(f"{wrong} places do not agree" if wrong else "all agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
