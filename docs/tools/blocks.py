"""Code blocks against files and outputs: `source`, `diff`, `run` and `raw`."""
import difflib
import re
import subprocess

from lookups import lines_of
from units import NUMBER

LEFT_OUT = "..."


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


def nearest(line, text):
    """The line of a text that a reader would compare with this one; None of an empty text."""
    close = difflib.get_close_matches(line, text, n=1, cutoff=0.3)
    return (close or text[:1] or [None])[0]


def first_difference(block, text, same, anchored):
    """None when the block stands in the text, else (line of the block, what the text has there or
    None). same(a, b) compares a line of the block with one of the text. anchored: the block begins
    and ends where the text does, unless it has `...` there."""
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
            if n == 0 and len(places) > 1:
                return start, nearest(part[0], text[at:])
            return start + max(n, 0), text[place + n] if n >= 0 and place + n < len(text) else None
        at = place + n
    if anchored and block and block[-1].strip() != LEFT_OUT and at != len(text):
        return len(block), text[at]
    return None


def check_source(block):
    path = block.argument
    text = [line.rstrip() for line in lines_of(path)]
    wanted = [line.rstrip() for line in block.lines]
    indents = [
        len(line) - len(line.lstrip()) for line in wanted if line and line.strip() != LEFT_OUT
    ]
    if not indents:
        return [(0, "an empty block")]
    wanted = [line if line.strip() == LEFT_OUT else line[min(indents) :] for line in wanted]
    best = None
    for indent in sorted({len(line) - len(line.lstrip()) for line in text if line}):
        shifted = [line[indent:] if line[:indent].strip() == "" else "\0" for line in text]
        found = first_difference(wanted, shifted, lambda a, b: a == b, anchored=False)
        if found is None:
            return []
        best = max(best or found, found, key=lambda f: f[0])
    there = best[1]
    return [
        (
            best[0],
            f"not in {path}" + (f", which has here: {there}" if there and best[0] > 0 else ""),
        )
    ]


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
            if (
                context
                and context != LEFT_OUT
                and not line.startswith(("@@", "---", "+++", "diff "))
                and not any(d[:1] == " " and d[1:] == context for d in there)
            ):
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
    """What a line may look like: `~` before a number is any number, `{...}` any text (and `...`,
    with dots)."""
    marks = r"~(?:" + NUMBER + r")|\{\.\.\.\}|\s+" + (r"|\.\.\." if dots else "")
    pattern, at, loose = "", 0, "~" in line
    for mark in re.finditer(marks, line):
        pattern += re.escape(line[at : mark.start()])
        text = mark[0]
        if text.startswith("~"):
            pattern += "(?:" + NUMBER + ")"
        elif text.endswith(("...", "...}")):
            pattern += ".*?"
        else:  # the width of a column varies with its numbers
            pattern += r"\s+" if loose else re.escape(text)
        at = mark.end()
    return re.compile(pattern + re.escape(line[at:]) + r"\s*")


def check_run(block, runs):
    """[(line, message)] of a block against its command's output, which runs has."""
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
    wrong = differs(command, wanted, runs.output_of(command))
    if wrong and runs.fresh(command):
        wrong = differs(command, wanted, runs.output_of(command))
    return [(first + wrong[0], wrong[1])] if wrong else []


def differs(command, wanted, output):
    """None when the block is the command's output, else (line of it, what is wrong)."""
    status, text = output
    if status in (124, 125, 126, 127):
        return 0, f"'{command}' ends with status {status}: {text[-1]}"
    found = first_difference(
        wanted,
        [line.rstrip() for line in text],
        lambda a, b: bool(varying(a).fullmatch(b)),
        anchored=True,
    )
    if found is None:
        return None
    at, there = found
    return min(at, len(wanted)), f"'{command}' " + (
        "does not print this" if there is None else f"prints here: {there}"
    )


def check_raw(block):
    text = [line.strip() for line in lines_of(block.argument)]
    errors = []
    for i, line in enumerate(block.lines):
        if line.strip() and line.strip() != LEFT_OUT:
            pattern = varying(re.sub(r"~", "", line.strip()), dots=True)
            if not any(pattern.fullmatch(t) for t in text):
                errors.append((i, f"not in {block.argument}: {line.strip()}"))
    return errors
