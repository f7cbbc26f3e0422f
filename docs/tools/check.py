#!/usr/bin/env python3
"""Holds the book against the repository: code against its file, output against a run, figures against raw data, links
against what is there. docs/tools/README.md says how a page marks its blocks.

    docs/tools/check.py [PAGE...]     README.md and docs/*.md when none is named; run from the root, after `make BACKEND=cpu`
    docs/tools/check.py --no-run ...  commands are not run

Exit status 1 when something does not agree; each such place is one line, FILE:LINE: what.
"""
import csv
import glob
import os
import re
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import markdown

NUMBER = r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
SECONDS = 180  # the longest that a command may take
LEFT_OUT = "..."


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().split("\n")


# ---- a block in a text: lines that follow each other, `...` for any number of lines between ----

def chunks(lines):
    """[(number of its first line in the block, lines)], the block cut at its `...`."""
    parts, start = [], 0
    for i, line in enumerate(lines + [LEFT_OUT]):
        if line.strip() == LEFT_OUT:
            if i > start:
                parts.append((start, lines[start:i]))
            start = i + 1
    return parts


def first_difference(block, text, same, anchored):
    """None when the block stands in the text, else (line of the block, what the text has there or None). same(a, b)
    compares a line of the block with one of the text. anchored: the block begins and ends where the text does, unless
    it has `...` there."""
    parts = chunks(block)

    def length(part, at):
        n = 0
        while n < len(part) and at + n < len(text) and same(part[n], text[at + n]):
            n += 1
        return n

    at = 0
    for number, (start, part) in enumerate(parts):
        places = range(at, len(text) + 1)
        if anchored and number == 0 and start == 0:
            places = [0]
        elif anchored and number == len(parts) - 1 and block[-1].strip() != LEFT_OUT:
            places = [max(at, len(text) - len(part))]
        best = (-1, 0)
        for place in places:
            n = length(part, place)
            best = max(best, (n, -place))
            if n == len(part):
                break
        n, place = best[0], -best[1]
        if n < len(part):
            return start + max(n, 0), text[place + n] if n >= 0 and place + n < len(text) else None
        at = place + n
    if anchored and block and block[-1].strip() != LEFT_OUT and at != len(text):
        return len(block), text[at]
    return None


def check_source(block):
    path = block.argument
    text = [line.rstrip() for line in lines_of(path)]
    wanted = [line.rstrip() for line in block.lines]
    indents = [len(line) - len(line.lstrip()) for line in wanted if line and line.strip() != LEFT_OUT]
    if not indents:
        return [(0, "an empty block")]
    wanted = [line if line.strip() == LEFT_OUT else line[min(indents):] for line in wanted]
    best = None
    for indent in sorted({len(line) - len(line.lstrip()) for line in text if line}):
        shifted = [line[indent:] if line[:indent].strip() == "" else "\0" for line in text]
        found = first_difference(wanted, shifted, lambda a, b: a == b, anchored=False)
        if found is None:
            return []
        best = max(best or found, found, key=lambda f: f[0])
    there = best[1]
    return [(best[0], f"not in {path}" + (f", which has here: {there}" if there and best[0] > 0 else ""))]


def check_diff(block):
    paths = block.argument.split()
    if len(paths) != 2:
        return [(0, "diff wants two files")]
    run = subprocess.run(["diff", "-U1000000", *paths], capture_output=True, text=True)
    if run.returncode > 1:
        return [(0, run.stderr.strip())]
    difference = run.stdout.split("\n")[3:]
    squeeze = lambda line: line[:1] + line[1:].strip()
    there, errors, at = [squeeze(line) for line in difference], [], 0
    changes = 0
    for i, line in enumerate(block.lines):
        if line[:1] not in "+-" or not line.strip() or re.match(r"(---|\+\+\+) ", line):
            context = line.strip()
            if context and context != LEFT_OUT and not line.startswith(("@@", "---", "+++", "diff ")) \
                    and not any(d[:1] == " " and d[1:] == context for d in there):
                errors.append((i, f"not in both files: {context}"))
            continue
        changes += 1
        if squeeze(line) in there[at:]:
            at = there.index(squeeze(line), at) + 1
        elif squeeze(line) in there:
            errors.append((i, "not in this order in the difference of the files: " + line))
        else:
            errors.append((i, "not in the difference of the files: " + line))
    if not changes:
        errors.append((0, "no line of it begins with + or -"))
    return errors


def varying(line, dots=False):
    """What a line may look like: `~` before a number is any number, `{...}` any text (and `...`, with dots)."""
    marks = r"~(?:" + NUMBER + r")|\{\.\.\.\}|\s+" + (r"|\.\.\." if dots else "")
    pattern, at, loose = "", 0, "~" in line
    for mark in re.finditer(marks, line):
        pattern += re.escape(line[at:mark.start()])
        text = mark[0]
        if text.startswith("~"):
            pattern += "(?:" + NUMBER + ")"
        elif text.endswith(("...", "...}")):
            pattern += ".*?"
        else:  # the width of a column varies with its numbers
            pattern += r"\s+" if loose else re.escape(text)
        at = mark.end()
    return re.compile(pattern + re.escape(line[at:]) + r"\s*")


outputs = {}  # of commands that were run: several blocks may show parts of one
durations = []


def output_of(command):
    if command not in outputs:
        start = time.monotonic()
        environment = {**os.environ, "BACKEND": "cpu", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        environment.pop("MAKEFLAGS", None)
        environment.pop("MAKELEVEL", None)
        try:
            run = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL, text=True, errors="replace", timeout=SECONDS, env=environment)
            outputs[command] = (run.returncode, run.stdout.rstrip("\n").split("\n"))
        except subprocess.TimeoutExpired:
            outputs[command] = (124, [f"(not done after {SECONDS} s)"])
        durations.append((time.monotonic() - start, command))
    return outputs[command]


def check_run(block):
    command, wanted = block.argument, [line.rstrip() for line in block.lines]
    first = 0
    if wanted and wanted[0].startswith("$ "):
        if command and wanted[0][2:] != command:
            return [(0, f"the marker's command is {command}")]
        command, wanted, first = wanted[0][2:], wanted[1:], 1
    if not command:
        return [(0, "no command")]
    if not [line for line in wanted if line.strip() and line.strip() != LEFT_OUT]:
        return [(0, "no line of output: use the marker example")]
    status, text = output_of(command)
    if status in (124, 126, 127):
        return [(0, f"'{command}' ends with status {status}: {text[-1]}")]
    text = [line.rstrip() for line in text]
    found = first_difference(wanted, text, lambda a, b: bool(varying(a).fullmatch(b)), anchored=True)
    if found is None:
        return []
    at, there = found
    return [(first + min(at, len(wanted)), f"'{command}' " + (f"prints here: {there}" if there is not None else "does not print this"))]


def check_raw(block):
    text = [line.strip() for line in lines_of(block.argument)]
    errors = []
    for i, line in enumerate(block.lines):
        if line.strip() and line.strip() != LEFT_OUT:
            pattern = varying(re.sub(r"~", "", line.strip()), dots=True)
            if not any(pattern.fullmatch(t) for t in text):
                errors.append((i, f"not in {block.argument}: {line.strip()}"))
    return errors


# ---- a table whose figures are those of a results file ----

def rounded_from(shown, value):
    """Is the text `shown` the number value, rounded, in its own unit or a thousand or a million times larger or smaller?"""
    digits = shown.replace(",", "")
    mantissa, _, exponent = digits.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    half = 0.5 * 10.0 ** (int(exponent or 0) - places) * 1.000001
    return any(abs(value * 10.0 ** unit - float(digits)) <= half for unit in (0, 3, 6, 9, -3, -6, -9))


def check_table(block):
    """Each number of a row must be in a line of the file that begins with a name that the row's first cell has. Numbers
    in the head, in the first cell and in parentheses that follow no number are not looked at."""
    rows = []
    for path in block.argument.split():
        rows += [row for row in csv.reader(line for line in lines_of(path) if line and not line.startswith("#"))]
    errors = []
    for i, line in enumerate(block.lines):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if i < 2 or not cells:
            continue
        own = [row for row in rows if row and re.search(r"\b" + re.escape(row[0]) + r"\b", cells[0])]
        values = []
        for row in own:
            for value in row[1:]:
                try:
                    values.append(float(value))
                except ValueError:
                    pass
        if not own:
            errors.append((i, f"no line of {block.argument} begins with a name in '{cells[0]}'"))
            continue
        for cell in cells[1:]:
            for shown in re.findall(NUMBER, cell):
                if not any(rounded_from(shown, value) for value in values):
                    errors.append((i, f"{shown} is not in {block.argument} for '{cells[0]}'"))
    return errors


CHECKS = {"source": check_source, "diff": check_diff, "run": check_run, "raw": check_raw, "table": check_table}


# ---- links ----

pages = {}


def page_at(path):
    if path not in pages:
        pages[path] = markdown.read(path)
    return pages[path]


def check_link(page, target):
    """None, or what is wrong. Other sites are not asked."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, fragment = urllib.parse.unquote(target).partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
    if path.startswith("..") or os.path.isabs(path):
        return f"{target}: outside of the repository"
    own = path == page.path
    if not own and not os.path.exists(path):
        return f"{target}: there is no {path}"
    tracked = subprocess.run(["git", "ls-files", "--error-unmatch", path], capture_output=True).returncode
    if tracked == 1 and not own:
        return f"{target}: {path} is not in the repository"
    if fragment and path.endswith(".md") and fragment not in (page if own else page_at(path)).anchors:
        return f"{target}: {path} has no heading of that name"
    line = re.fullmatch(r"L(\d+)(?:-L(\d+))?", fragment)
    if line and not path.endswith(".md") and int(line[2] or line[1]) > len(lines_of(path)):
        return f"{target}: {path} is shorter"
    return None


# ---- all ----

def check_page(page, run=True, counts=None):
    """[(line, message)] for a page that was read."""
    errors = list(page.errors)
    for block in page.blocks:
        if not block.kind:
            errors.append((block.line, "a block without a marker"))
            continue
        if counts is not None:
            counts[block.kind] = counts.get(block.kind, 0) + 1
        if block.kind == "example" or (block.kind == "run" and not run):
            continue
        try:
            errors += [(block.line + at, message) for at, message in CHECKS[block.kind](block)]
        except OSError as error:
            errors.append((block.line, f"{error.filename}: {error.strerror}"))
    for line, target in page.links:
        wrong = check_link(page, target)
        if wrong:
            errors.append((line, wrong))
    return sorted(errors)


def check_book():
    """Each step has its chapter, and the book's first page names every page."""
    errors = []
    for step in sorted(glob.glob("[0-9][0-9]_*/matmult.c*")):
        chapter = "docs/" + os.path.dirname(step) + ".md"
        if subprocess.run(["git", "ls-files", "--error-unmatch", step], capture_output=True).returncode == 1:
            continue  # a step of the reader's own
        if not os.path.exists(chapter):
            errors.append(f"{chapter}: missing, the chapter of a step")
    if not os.path.exists("docs/README.md"):
        return errors + ["docs/README.md: missing, the book's first page"]
    linked = {os.path.normpath(os.path.join("docs", target.partition("#")[0])) for _, target in page_at("docs/README.md").links}
    for path in sorted(glob.glob("docs/*.md")):
        if path not in linked and path != "docs/README.md":
            errors.append(f"docs/README.md: does not name {path}")
    return errors


def main():
    arguments = sys.argv[1:]
    run = "--no-run" not in arguments
    named = [a for a in arguments if not a.startswith("-")]
    wanted = named or ["README.md", *sorted(glob.glob("docs/*.md"))]
    counts, wrong = {}, 0
    for path in wanted:
        for line, message in check_page(page_at(path), run, counts):
            print(f"{path}:{line}: {message}")
            wrong += 1
        sys.stdout.flush()
    if not named:
        for message in check_book():
            print(message)
            wrong += 1
    print(f"{len(wanted)} pages; blocks held against the repository: "
          + ", ".join(f"{counts.get(kind, 0)} {kind}" for kind in CHECKS)
          + f"; not checked: {counts.get('example', 0)} example"
          + (f", {counts.get('run', 0)} run" if not run else ""))
    if durations:
        print(f"{len(durations)} commands in {sum(d[0] for d in durations):.0f} s; the longest: "
              + ", ".join(f"{seconds:.0f} s {command}" for seconds, command in sorted(durations, reverse=True)[:3]))
    print(f"{wrong} places do not agree" if wrong else "all agree")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
