"""Tables whose figures are those of a CSV file: the `table` marker."""
import re

import lookups
import results
import units

WORDS = {
    "largest": "max",
    "longest": "max",
    "smallest": "min",
    "shortest": "min",
    "average": "mean",
    "model": "predicted",
}

NAMED = re.compile(r"\b(\w+) = (\w+)")  # in a row's first cell: `36_many_gpus, devices = 2`


def sizes_of(heads, rows):
    """The n that each column names, itself or in one to its left: `n = 8192: TFLOP/s`, or `4096`
    alone."""
    known = {row.get("n") for row in rows}
    sizes, last = [], None
    for head in heads:
        named = re.search(r"\bn = (\d+)", head) or re.fullmatch(r"(\d+)", head)
        if named and named[1] in known:
            last = named[1]
        sizes.append(last)
    return sizes


def columns_for(head, names):
    """Those of the columns that a head can mean, and its unit: they are of this unit and have most
    of its words. A column of the shortest or the longest (kernel_min_s beside kernel_s) has to be
    named."""
    unit = re.search(rf"(?<![\w/])({units.UNIT})", head)
    kind = units.unit_of(unit[1])[0] if unit else units.PLAIN
    words = {WORDS.get(word, word) for word in re.findall(r"[a-z]\w*", head.lower())}

    def score(name):
        parts = name.split("_")
        unnamed = [
            part
            for part in parts
            if part in ("min", "max")
            and part not in words
            and "_".join(other for other in parts if other != part) in names
        ]
        return sum(part in words for part in parts), -len(unnamed)

    fitting = [name for name in names if name != "n" and units.column_unit(name)[0] == kind]
    best = max(map(score, fitting), default=None)
    return [name for name in fitting if score(name) == best], unit[1] if unit else ""


def check(block):
    """[(line, message)]. Each number of a row must be in a row of the file that begins with a name
    in the row's first cell, of the size and in the unit that the table's head names; of n = 1000
    where it names none. """
    rows, errors = [], []
    for path in block.argument.split():
        rows += [row for _, row in lookups.rows_of(path)]
    cells_of = lambda line: [cell.strip() for cell in line.strip().strip("|").split("|")]
    heads = cells_of(block.lines[0])
    sizes = sizes_of(heads, rows)
    usual = str(results.SIZE) if any(row.get("n") == str(results.SIZE) for row in rows) else None
    for i, line in enumerate(block.lines[2:], 2):
        cells = cells_of(line)
        named = [
            row
            for row in rows
            if re.search(r"\b" + re.escape(next(iter(row.values()))) + r"\b", cells[0])
            and all(row.get(key, value) == value for key, value in NAMED.findall(cells[0]))
        ]
        if not named:
            errors.append((i, f"no line of {block.argument} begins with a name in '{cells[0]}'"))
            continue
        own_size = cells[heads.index("n")] if "n" in heads else None
        for at, cell in enumerate(cells[1:], 1):
            numbers = re.findall(units.NUMBER, cell)
            size = own_size or (sizes[at] if at < len(sizes) else None) or usual
            own = [row for row in named if size is None or row.get("n") == size or len(numbers) > 1]
            if at < len(heads) and heads[at] == "n":
                numbers = [] if own else numbers
            names, unit = columns_for(cells[0] + " " + heads[at], list(rows[0]) if rows else [])
            for shown in numbers:
                if not any(
                    agrees(shown, unit, row.get(name), name) for row in own for name in names
                ):
                    of = f", n = {size}" if size and len(numbers) == 1 else ""
                    errors.append((i, f"{shown} is not in {block.argument} for '{cells[0]}'{of}"))
    return errors


def agrees(shown, unit, text, name):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return False
    scale = units.column_unit(name)[1]
    return any(units.rounded_from(shown, value * scale / one) for one in units.unit_of(unit)[1])
