"""Small expressions over the raw data: `bench 03_kahan 8192 kernel_s / bench 02_naive_cuda 8192
kernel_s`. README.md has their grammar."""
import csv
import os
import re

import one_run
import units

RESULTS = "docs/results"
SHORT = {  # a word for a file, and the columns whose values follow it
    "bench": ("", ("step", "n")),  # the one run's
    "cpu": ("steps_cpu.csv", ("step", "n")),
    "article": ("inspect_article.csv", ("step",)),
}
TOKEN = re.compile(
    r"""\s*(?:
    (?P<file>(?:run\[[^]]+\]|[\w./-]+\.\w+(?:\[[^]]*\])?)(?:\s*"[^"]*"|\.\w+))
  | (?P<number>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])
  | (?P<word>%|[A-Za-z_][\w/]*|\d\w+)
  | (?P<sign>[-+*/^()]))""",
    re.X,
)


class Wrong(Exception):
    """What an expression, or the data, does not give; its text says so."""


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().split("\n")


def file_named(name):
    """A file of docs/results by its name, any other by its path."""
    for path in (os.path.join(RESULTS, name), name):
        if os.path.isfile(path):
            return path
    raise Wrong(f"there is no {name}")


def rows_of(path):
    """[(heading, row)]: the rows of a CSV file, each with the `#` lines above its part of the
    file. Below a line `# table: NAME` another table begins, with columns of its own."""
    heading, names, rows, above = "", None, [], False
    for line in lines_of(path):
        if line.startswith("#"):
            heading = heading + "\n" + line if above else line
            names = None if line.startswith("# table: ") else names
        elif line:
            cells = next(csv.reader([line]))
            if names is None:
                names = cells
            elif cells != names:
                rows.append((heading, dict(zip(names, cells))))
        above = line.startswith("#")
    return rows


def same(text, wanted):
    try:
        return text == wanted or float(text) == float(wanted)
    except (TypeError, ValueError):
        return False


def cell(name, conditions, column):
    """(value, kind) of a column of the one row that fulfils conditions: [(column, value)], column #
    for the heading."""
    rows = rows_of(file_named(name))
    tables = [wanted for key, wanted in conditions if key == "#" and wanted.startswith("table: ")]
    rows = [row for row in rows if all(f"# {table}" in row[0].split("\n") for table in tables)]
    if not rows or column not in rows[0][1]:
        raise Wrong(f"{name} has no column {column}")
    names = ["#", *rows[0][1]]
    for key, wanted in conditions:
        if key not in names:
            raise Wrong(f"{name} has no column {key}")
        rows = [
            (heading, row)
            for heading, row in rows
            if (wanted in heading if key == "#" else same(row.get(key), wanted))
        ]
    if len(rows) != 1:
        where = ", ".join(f"{key}={wanted}" for key, wanted in conditions)
        raise Wrong(f"{name} has {len(rows) or 'no'} rows with {where}")
    try:
        value = float(rows[0][1][column])
    except ValueError:
        raise Wrong(f"{name}: {column} is no number there") from None
    kind, scale = units.column_unit(column)
    return value * scale, kind


def section(lines, heading, name):
    """The lines of a text below the heading that has these words, up to the next heading like it. A
    heading is a line that begins with `#`, or a line with others below it that begin further
    right."""
    indent = lambda line: len(line) - len(line.lstrip())
    found = []
    for i, line in enumerate(lines):
        below = next((other for other in lines[i + 1 :] if other.strip()), "")
        if heading in line and (line.startswith("#") or indent(below) > indent(line)):
            end = i + 1
            while end < len(lines) and lines[end].startswith("#") and line.startswith("#"):
                end += 1
            while end < len(lines) and not (
                lines[end].startswith("#")
                if line.startswith("#")
                else lines[end].strip() and indent(lines[end]) <= indent(line)
            ):
                end += 1
            found.append(lines[i:end])
    if len(found) != 1:
        raise Wrong(f"{name} has {len(found) or 'no'} headings with '{heading}'")
    return found[0]


def in_text(lines, wanted, name):
    """(value, kind) of the number at the # of wanted; ` ... ` is any text within a line, spaces are
    as wide as they like."""
    if wanted.count("#") != 1:
        raise Wrong(f'"{wanted}" wants one # where the number stands')
    pattern = "".join(
        {"#": rf"(?<![\d.~])({units.NUMBER})", "...": ".*?"}.get(
            part, r"\s+" if part.isspace() else re.escape(part)
        )
        for part in re.split(r"(#|\.\.\.|\s+)", wanted)
        if part
    )
    pattern = re.compile(
        r"(?<![\w.])" + pattern + (r"(?![\d.]*\d)" if wanted.endswith("#") else "")
    )
    found = {}
    for line in lines:
        for match in pattern.finditer(line):
            unit = re.match(rf"\s*({units.UNIT})", line[match.end(1) :])
            found[match[1], unit[1] if unit else None] = 1
    if len(found) != 1:
        raise Wrong(f'{name} has {len(found) or "no"} numbers at "{wanted}"')
    ((text, unit),) = found
    kind, scales = units.unit_of(unit)
    return units.number(text) * scales[0], kind


class Expression:
    """The value of a text. blocks: those of its page, for run[COMMAND]."""

    def __init__(self, text, blocks=()):
        self.tokens, self.blocks, self.lookups, self.at = [], blocks, 0, 0
        end = 0
        while text[end:].strip():
            token = TOKEN.match(text, end)
            if not token:
                raise Wrong(f"not understood: {text[end:].strip()}")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            end = token.end()

    def value(self):
        """(number, kind); Wrong where there is none."""
        value = self.sum()
        if self.at < len(self.tokens):
            raise Wrong(f"not understood from '{self.tokens[self.at][1]}' on")
        if not self.lookups and len(self.tokens) < 3:
            raise Wrong(
                "a number of its own is no source: look it up, or give a reason: `given, REASON`"
            )
        return value

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def sum(self):
        value, kind = self.product()
        while self.peek() in (("sign", "+"), ("sign", "-")):
            sign = self.take()[1]
            other, its_kind = self.product()
            if kind != its_kind:
                left, right = (units.KINDS.get(one, "another unit") for one in (kind, its_kind))
                raise Wrong(f"{left} {sign} {right}")
            value = value + other if sign == "+" else value - other
        return value, kind

    def product(self):
        value, kind = self.power()
        while self.peek() in (("sign", "*"), ("sign", "/")):
            sign = self.take()[1]
            other, its_kind = self.power()
            if sign == "/" and other == 0:
                raise Wrong("a division by 0")
            value = value * other if sign == "*" else value / other
            kind = tuple(a + b if sign == "*" else a - b for a, b in zip(kind, its_kind))
        return value, kind

    def power(self):
        value, kind = self.factor()
        if self.peek() == ("sign", "^"):
            self.take()
            exponent, plain = self.factor()
            if plain != units.PLAIN or kind != units.PLAIN:
                raise Wrong("^ wants plain numbers")
            value = value**exponent
        return value, kind

    def factor(self):
        """A number, a lookup or an expression in parentheses, each perhaps with its unit after
        it."""
        group, text = self.take()
        if (group, text) == ("sign", "("):
            value, kind = self.sum()
            if self.take() != ("sign", ")"):
                raise Wrong("a ) is missing")
        elif group == "number":
            if "." in text:
                raise Wrong(f"{text}: a number that is not whole is looked up, not written")
            value, kind = units.number(text), units.PLAIN
        elif group == "file":
            value, kind = self.lookup(text)
        elif group == "word" and text in SHORT:
            name, keys = SHORT[text]
            words = [self.take()[1] for _ in (*keys, "column")]
            self.lookups += 1
            value, kind = cell(name or one_run.FIRST, list(zip(keys, words)), words[-1])
        else:
            raise Wrong(f"not understood: '{text}'" if text else "the expression breaks off")
        group, unit = self.peek()
        if group == "word" and (unit in units.UNITS or unit in units.MULTIPLES):
            self.take()
            its_kind, scales = units.unit_of(unit)
            if kind != units.PLAIN:
                raise Wrong(f"'{unit}' after what has a unit already")
            value, kind = value * scales[0], its_kind
        return value, kind

    def lookup(self, text):
        self.lookups += 1
        quoted = re.fullmatch(r'([^"\[]+)(?:\[([^]]*)\])?\s*"([^"]*)"', text)
        if quoted:
            name, part, wanted = quoted.groups()
            name = name.strip()
            if name == "run":
                blocks = [block for block in self.blocks if part in command_of(block)]
                if len({command_of(block) for block in blocks}) != 1:
                    raise Wrong(f"this page has {len(blocks) or 'no'} run blocks with '{part}'")
                return in_text(
                    [line for block in blocks for line in block.lines], wanted, f"run[{part}]"
                )
            lines = lines_of(file_named(name))
            return in_text(section(lines, part, name) if part else lines, wanted, name)
        named = re.fullmatch(r"([^\[]+)\[([^]]*)\]\.(\w+)", text)
        if not named:
            raise Wrong(f'{text}: wants [COLUMN=VALUE, ...].COLUMN or "TEXT #"')
        conditions = []
        for condition in named[2].split(","):
            key, equals, value = condition.strip().partition("=")
            conditions.append(
                (key.strip(), value.strip())
                if equals and key[0] != "#"
                else ("#", condition.strip("# "))
            )
        return cell(named[1], conditions, named[3])


def command_of(block):
    if block.kind != "run":
        return ""
    return block.argument or (
        block.lines[0][2:] if block.lines and block.lines[0].startswith("$ ") else ""
    )
