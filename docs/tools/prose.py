"""Numbers in prose against the data: each number with a unit is named in the `numbers` marker of
its paragraph, or unmarked.txt says why it needs no source."""
import re
from dataclasses import dataclass

import lookups
import units

UNMARKED = "docs/tools/unmarked.txt"
# Between numbers that share one unit.
BETWEEN = r"(?:,\s+(?:and\s+|or\s+)?|\s+(?:and|or|to|against)\s+|\s*[-\u2013]\s*)"
BEFORE = r"(?<![\w.^/\u2212])(?<!\d[,])"
LIST = re.compile(
    rf"{BEFORE}({units.POSITIVE}(?:{BETWEEN}{units.POSITIVE})*)"
    rf"(?:\s+|(?=%)|-(?=byte))({units.UNIT})"
)
BARE = re.compile(rf"{BEFORE}({units.POSITIVE})(?![\w^]|[.,]\d)")
OTHER = re.compile(r"(?:\b[a-zA-Z]\s*[=<>]|\bsteps?)\s*\Z")
COMPARED = re.compile(
    r"\s+(?:as|fewer|more|less|faster|slower|longer|shorter|smaller|larger|higher|that|cuBLAS)\b"
)
LEFT = re.compile(rf"({units.POSITIVE})\s*({units.UNIT})?")


@dataclass
class Quantity:
    start: int
    end: int
    shown: str
    unit: str  # "" for a bare number
    held: bool  # has a unit of which all numbers need a source


def plain(lines):
    """The prose alone, character for character: no code, no target of a link, no tags."""
    blank = lambda found: re.sub(r"[^\n]", "\x01", found[0])
    text = "\n".join(lines)
    text = re.sub(r"(`+)(?:(?!`).)+?\1", blank, text, flags=re.S)
    text = re.sub(r"(?<=\])\([^()]*(?:\([^()]*\)[^()]*)*\)", blank, text)
    text = re.sub(r"<!--.*?-->|</?[a-z][^>]*>", blank, text, flags=re.S)
    return text.replace("$", " ")


def is_held(shown, unit, following):
    """Sizes of the design are not: fewer bytes than 1000, `used 16 times`."""
    name = unit.split()[-1]
    if name in ("time", "times"):
        return "." in shown or bool(COMPARED.match(following))
    if name != unit:  # `157 million sectors`
        return True
    singular = name[:-1] if name.endswith("s") else name
    return not shown.isdigit() or int(shown) >= units.SMALLEST.get(singular, 0)


def quantities(text):
    found = []
    for many in LIST.finditer(text):
        unit = " ".join(many[2].split())
        for one in re.finditer(units.POSITIVE, many[1]):
            start = many.start(1) + one.start()
            if OTHER.search(text, 0, start):  # `at n = 8192 and 4.2 TB/s`
                continue
            last = many.start(1) + one.end() == many.end(1)
            found.append(
                Quantity(
                    start,
                    many.end() if last else start + len(one[0]),
                    one[0],
                    unit,
                    is_held(one[0], unit, text[many.end() :]),
                )
            )
    known = {quantity.start for quantity in found}
    for bare in BARE.finditer(text):
        if bare.start() not in known:
            unit = re.search(rf"(?<![\w/]){units.UNIT}", column_of(text, bare.start()))
            unit = unit[0] if unit else ""
            held = bool(unit) and is_held(bare[0], unit, "")
            found.append(Quantity(bare.start(), bare.end(), bare[0], unit, held))
    return found


def sentence(text, at):
    start = max(
        (end.end() for end in re.finditer(r"(?:[.!?]\)?\**|\n\||\n[-*]|^)\s+", text[:at])),
        default=0,
    )
    end = re.compile(r"[.!?]\)?(?:\s|$)").search(text, at)
    words = " ".join(text[start : end.end() if end else len(text)].replace("\x01", "").split())
    return words if len(words) < 160 else words[:157] + "..."


def column_of(text, at):
    """The head of the column of a table in which a character is, "" outside of one."""
    line = text[:at].count("\n")
    lines = text.split("\n")
    if line < 2 or not lines[0].startswith("|"):
        return ""
    cell = lines[line][: at - sum(len(other) + 1 for other in lines[:line])].count("|")
    heads = lines[0].split("|")
    return heads[cell].strip() if cell < len(heads) else ""


def agrees(shown, unit, value, kind):
    """None, or what the data give instead."""
    its_kind, scales = units.unit_of(unit)
    if kind != its_kind:
        there = units.KINDS.get(kind, "another unit")
        return f"the source gives {there}, the text {units.KINDS[its_kind]}"
    if not any(units.rounded_from(shown, value / scale) for scale in scales):
        return f"the source gives {value / scales[0]:.6g}" + (f" {unit}" if unit else "")
    return None


def check_entry(entry, text, found, blocks):
    """(quantities that the entry names, None or what is wrong)."""
    left, _, right = entry.partition(":")
    left, right = left.strip(), right.strip()
    given = re.match(r"given\s*[,:]\s*\S", right)
    if left.startswith("column "):
        head = left[7:].strip()
        named = [quantity for quantity in found if column_of(text, quantity.start) == head]
        wrong = None if named else f"'{head}' is no column of the table below, or has no number"
        return named, wrong if given else f"'{left}' can only be given, REASON"
    number = LEFT.fullmatch(left)
    if not number:
        return [], f"'{left}' is no number with a unit"
    shown, unit = number[1], " ".join((number[2] or "").split())
    of_unit = [
        quantity
        for quantity in found
        if quantity.shown == shown
        and quantity.unit
        and units.unit_of(quantity.unit) == units.unit_of(unit)
    ]
    named = of_unit or [
        quantity for quantity in found if quantity.shown == shown and not quantity.unit
    ]
    if not right:
        return named, f"'{entry}' wants NUMBER UNIT: SOURCE"
    if not named:
        return [], f"'{left}' is not in the text below"
    if right.startswith("given") and not given:
        return named, f"'{entry}' wants a reason: given, REASON"
    if given:
        return named, None
    try:
        value, kind = lookups.Expression(right, blocks).value()
        different = agrees(shown, unit, value, kind)
    except (lookups.Wrong, OSError, ArithmeticError, OverflowError) as error:
        return named, f"{left}: {error}"
    return named, different and f"{left}: {different} ({right})"


class Unmarked:
    """docs/tools/unmarked.txt: `PAGE or *: TEXT: reason`, and `todo: PAGE` of pages that are not
    held yet."""

    def __init__(self, path=UNMARKED):
        self.path, self.todo, self.exceptions, self.errors, self.used = path, {}, [], [], set()
        try:
            lines = lookups.lines_of(path)
        except OSError:
            lines = []
        for at, line in enumerate(lines, 1):
            parts = [part.strip() for part in line.split(": ", 2)]
            if not line.strip() or line.startswith("#"):
                continue
            if parts[0] == "todo" and len(parts) == 2:
                self.todo[parts[1]] = at
            elif len(parts) == 3 and all(parts):
                self.exceptions.append((at, *parts[:2]))
            else:
                self.errors.append((at, f"'{line.strip()}' wants PAGE: TEXT: reason"))

    def excuses(self, page, text, quantity):
        """Is the quantity within a text that needs no source?"""
        excused = False
        for at, where, wanted in self.exceptions:
            if where in ("*", page):
                pattern = (
                    r"(?<![\w.])"
                    + r"\s+".join(re.escape(word) for word in wanted.split())
                    + r"(?!\w)"
                )
                if any(
                    there.start() <= quantity.start and quantity.end <= there.end()
                    for there in re.finditer(pattern, text)
                ):
                    self.used.add(at)
                    excused = True
        return excused

    def stale(self, pages, clean, whole):
        """[(line, message)]: what can be taken from the list, now that pages were read; whole: all
        of them were. clean: those without an unmarked number."""
        errors = list(self.errors)
        errors += [
            (at, f"'{text}' stands in no prose unmarked any more")
            for at, where, text in self.exceptions
            if at not in self.used and (whole or where in pages)
        ]
        errors += [
            (at, f"{page} has no unmarked number: it need not be on the list")
            for page, at in self.todo.items()
            if page in clean
        ]
        errors += [
            (at, f"there is no page {page}")
            for page, at in self.todo.items()
            if whole and page not in pages
        ]
        return errors


def check(page, unmarked, counts=None):
    """[(line, message)] of a page's numbers. A page that is to do is checked for its markers
    only."""
    errors, open_numbers = [], 0
    for prose in page.prose:
        text = plain(prose.lines)
        found, named = quantities(text), set()
        for at, entry in prose.entries:
            covered, wrong = check_entry(entry, text, found, page.blocks)
            named.update(quantity.start for quantity in covered)
            if wrong:
                errors.append((at, wrong))
            if counts is not None:
                counts["number"] = counts.get("number", 0) + 1
        for quantity in found:
            if (
                not quantity.held
                or quantity.start in named
                or unmarked.excuses(page.path, text, quantity)
            ):
                continue
            open_numbers += 1
            if page.path not in unmarked.todo:
                errors.append(
                    (
                        prose.line + text[: quantity.start].count("\n"),
                        f"{quantity.shown} {quantity.unit} "
                        f"without a source: {sentence(text, quantity.start)}",
                    )
                )
    return errors, open_numbers
