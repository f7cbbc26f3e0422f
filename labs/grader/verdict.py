"""verdict.py - turns what the judge and inspect found into sentences that help."""
import os
import re
import struct

from process import short_places

MISTAKES = {
    "transposed": "it is the right product, transposed: C[i][j] and C[j][i] are exchanged",
    "operands": "it is B A, and A B was asked for",
    "a_transposed": "it is the product with A transposed: A's row and column are exchanged",
    "b_transposed": "it is the product with B transposed: B's row and column are exchanged",
    "both_transposed": "it is the product of A and B transposed: "
                       "their rows and columns are exchanged",
    "k_tail": "the last, incomplete tile of K is left out",
    "first_tile": "only the first tile of K is added",
    "last_term": "the last term of each sum, that of K - 1, is left out",
    "stride_a": "the stride of A is ignored: "
                "its rows are read as if there were no gap between them",
    "stride_b": "the stride of B is ignored: "
                "its rows are read as if there were no gap between them",
    "stride_ab": "the strides of A and B are ignored: "
                 "rows are read as if there were no gap between them",
}


# All wrong elements are so; blank: as cudacpu fills the memory of the device.
WAYS = {"unwritten": "never written", "nan": "not a number (NaN)", "zero": "wrong: zero",
        "blank": "never written, or made of what nobody has written"}


UNSET = "; as if the sum began with a variable that nobody has set"


def begins_unset(got, expected):
    """Toolchain.telling: each byte of such a variable is 0xfe."""
    for kind in "ifd":
        start, = struct.unpack(kind, b"\xfe" * struct.calcsize(kind))
        if abs(got - start - expected) <= (0 if kind == "i" else 1e-6 * abs(start)):
            return True
    return False


ROUNDED = "; as if the sum were a float, which holds each whole number up to 16777216 alone"


def is_rounded(got, expected):
    """Whether a whole number is what a float makes of it."""
    if not all(re.fullmatch(r"-?\d+", text) for text in (got, expected)):
        return False
    if struct.unpack("f", struct.pack("f", int(got)))[0] != int(got):
        return False  # no float has this value
    return abs(int(got) - int(expected)) <= 1e-6 * abs(int(expected)) and abs(int(expected)) > 1 << 24


def shape(case):
    if case.title:
        return case.title
    text = f"{case.m} x {case.n} x {case.k}"
    if case.stride:
        text += " with strides " + ", ".join(map(str, case.stride))
    variant = "" if case.variant.isdigit() else case.variant  # of a number the test's name tells
    blocks = f"blocks of {case.parameter} x {case.parameter}" if case.parameter else ""
    kind = f"{case.kind} inputs" if case.kind != "random" else ""
    return ", ".join([text, *filter(None, (variant, blocks, kind))])


def facts(text):
    """The judge's lines: {word: [the rest, ...]}"""
    found = {}
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        found.setdefault(word, []).append(rest)
    return found


def place_of(case, tile, found, counts):
    """Where the wrong elements are, or nothing when they are everywhere."""
    wrong, m, n = counts["wrong"], case.m, case.n
    top, bottom, left, right = map(int, found["box"][0].split())
    if wrong == m * n or wrong == 1:
        return ""
    if bottom == top and m > 1:
        return f", all in row {top}"
    if left == right and n > 1:
        return f", all in column {left}"
    if left >= max(1, min(n // 2, n // tile * tile)):
        return f", only in the last {n - left} columns"
    if top >= max(1, min(m // 2, m // tile * tile)):
        return f", only in the last {m - top} rows"
    # Of what is not written a few may be as they should: the memory had that value.
    missing = m > 1 < n and counts["unwritten"] + counts["blank"] == wrong
    if missing and top == 0 and left and 10 * wrong >= 9 * m * (n - left):
        return f", only in the last {n - left} columns"
    if missing and left == 0 and top and 10 * wrong >= 9 * n * (m - top):
        return f", only in the last {m - top} rows"
    if counts["edge"] == wrong and m >= tile and n >= tile:
        return ", only in the incomplete tiles at the edge"
    if counts["diagonal"] == 0 and wrong == m * n - min(m, n):
        return ", all but the diagonal"
    if top // tile == bottom // tile and left // tile == right // tile:
        return f", all in the tile at row {top // tile * tile}, column {left // tile * tile}"
    return ""


def of_case(case, tile, text):
    """None when the judge found nothing, else a sentence."""
    found = facts(text)
    if "judged" not in found:
        return "the judge could not read the result"
    said = []
    for name, rest in (("input", "changed the input {0}: {0}[{1}][{2}]"),
                       ("gap", "wrote into the gap between two rows of {0}: row {1}, column {2} "
                               "(the stride of {0} is {3})"),
                       ("after", "wrote outside of C: row {0}, column {1} "
                                 "(C has {m} rows and {n} columns)"),
                       ("before", "wrote outside of the matrices, {0} elements before C")):
        for line in found.get(name, [])[:1]:
            words = line.split()
            stride = dict(zip("ABC", case.stride or (case.k, case.n, case.n))).get(words[0], "")
            said.append(rest.format(*words, stride, m=case.m, n=case.n))
    if "wrong" in found:
        words = ("wrong " + found["wrong"][0]).split()
        counts = {name: int(value) for name, value in zip(words[::2], words[1::2])}
        wrong, total = counts["wrong"], case.m * case.n
        number = f"{wrong} of {total} elements {'is' if wrong == 1 else 'are'}"
        if wrong == total > 1:
            number = "every element is"
        how = next((words for name, words in WAYS.items() if counts[name] == wrong), "wrong")
        if counts["blank"] and counts["blank"] + counts["unwritten"] == wrong:
            how = WAYS["blank"]
        i, j, got, expected = found["first"][0].replace("-nan", "nan").split()
        where = place_of(case, tile, found, counts)
        first = f"C[{i}][{j}]" + (f" is {got}," if how == "wrong" else "") + f" expected {expected}"
        sentence = f"{number} {how}{where}; the first: {first}"
        if how == "wrong":
            sentence += UNSET * begins_unset(float(got), float(expected))
            sentence += ROUNDED * ("rounded" in found and is_rounded(got, expected))
            some = [f"{counts[name]} of them {WAYS[name].replace(' (NaN)', '')}"
                    for name in ("unwritten", "blank", "nan") if counts[name]]
            if some:
                sentence += f" ({'; '.join(some)})"
        for line in found.get("error", []):
            error, limit = line.split()
            kind = "relative error" if case.kind == "positive" else "error"
            sentence += f"; the largest {kind} is {error}, the limit {limit}"
        for mistake in found.get("mistake", []):
            sentence += "; " + MISTAKES.get(mistake, mistake)
        said.append(sentence)
    return "; ".join(said) or None


def corner(text):
    """The lines of a corner that a case shows: the student's beside the right one."""
    rows = [line.split() for line in facts(text).get("corner", [])]
    if not rows:
        return []
    width = max(len(word) for row in rows for word in row) + 1
    lines = ["yours".ljust(len(rows[0]) // 2 * width + 4) + "right"]
    for row in rows:
        yours, right = ("".join(f"{x:>{width}}" for x in row[first::2]) for first in (0, 1))
        lines.append(yours + "    " + right)
    return lines


# What the right cases have in common and the wrong ones do not.
PATTERNS = [
    ("M = N = K", lambda c, t: c.m == c.n == c.k),
    ("M = N", lambda c, t: c.m == c.n),
    ("N = K", lambda c, t: c.n == c.k),
    ("M = K", lambda c, t: c.m == c.k),
    ("M, N and K are multiples of {t}", lambda c, t: c.m % t == c.n % t == c.k % t == 0),
    ("M and N are multiples of {t}", lambda c, t: c.m % t == c.n % t == 0),
    ("K is a multiple of {t}", lambda c, t: c.k % t == 0),
    ("M is a multiple of {t}", lambda c, t: c.m % t == 0),
    ("N is a multiple of {t}", lambda c, t: c.n % t == 0),
    ("the matrices are dense", lambda c, t: not c.stride),
    ("M, N and K are at most {t}", lambda c, t: max(c.m, c.n, c.k) <= t),
    ("K is at most {t}", lambda c, t: c.k <= t),
    ("M and N are at most {t}", lambda c, t: max(c.m, c.n) <= t),
    ("blocks have {t} x {t} threads", lambda c, t: c.parameter == t),
]


NO_MATTER_OF_SHAPE = r"no kernel computed this|between the rows of a matrix|no call came before"
LEAST_RIGHT = 3  # cases: fewer say nothing


def pattern(right, wrong, tile):
    """The condition under which it is right, where one fits all cases seen, and these are enough."""
    if len(set(map(repr, right))) < LEAST_RIGHT or not wrong:
        return ""
    for words, holds in PATTERNS:
        if all(holds(c, tile) for c in right) and not any(holds(c, tile) for c in wrong):
            return "right when " + words.format(t=tile)
    return ""


def with_names(text, folder, names):
    """A sentence about memory that a line of call.cu has allocated, with the name of the array. names: what the
    task calls an array of call.cu."""
    with open(os.path.join(folder, "call.cu"), encoding="utf-8") as file:
        lines = file.read().split("\n")

    def name(match):
        at = int(match[1])  # of a message that may be the student's
        found = 0 < at <= len(lines) and re.search(r"cudaMalloc\(&(\w+)", lines[at - 1])
        return names.get(found[1], found[1]) if found else match[0]
    # Outside of a box inspect has read call.cu itself.
    text = re.sub(r"\bof (\w+)\b", lambda match: "of " + names.get(match[1], match[1]), text)
    return re.sub(r"\bcall\.cu:(\d{1,6})\b", name, text)


def in_letters(text, letters):
    """M, N and K as the lab calls them."""
    names = dict(zip("MNK", letters))
    return re.sub(r"\b[MNK]\b(?!')", lambda m: names[m[0]], text)


def of_faults(faults):
    """The faults of inspect's JSON, which came from an untrusted process, in a sentence."""
    leaks = [f for f in faults if f.get("kind") in ("memory not freed", "event or stream not destroyed")]
    # A program that was stopped frees nothing: that is told only where there is nothing else.
    faults = [f for f in faults if f not in leaks] or leaks[:1]
    # These are found late: when all threads wait, and when nobody has asked. What they lead to comes before.
    faults.sort(key=lambda f: f.get("kind") not in ("divergent barrier", "unchecked launch error"))
    # Who does not wait reads what is not there yet, too.
    if any(re.search("race|missing event", str(f.get("kind"))) for f in faults):
        faults.sort(key=lambda f: f.get("kind") == "uninitialised read")
    said = []
    for fault in faults[:100]:
        kind, file, line, message = (str(fault.get(word, ""))[:400]
                                     for word in ("kind", "file", "line", "message"))
        here = f"{file.split('/')[-1]}:{line}" if line not in ("", "0") else ""
        if file.endswith(".cuh"):  # around a .cl file stands the grader's, which no student has seen
            here = ""
        other = re.search(r"([^/\s]+:\d+)(?: have no (barrier|__threadfence\(\))|: two blocks write)", message)
        if "race" in kind and other:
            lines = sorted({here, other[1]}, key=lambda l: (len(l), l))
            threads = " in two threads" if len(lines) == 1 else ""
            sentence = f"{kind}: {' and '.join(lines)}" + (
                f"{threads}, no {other[2]} between them" if other[2] else
                ": two blocks write the same element in any order")
        else:
            sentence = f"{kind}: {here}{': ' if here else ''}{short_places(message)}"
            if fault in leaks and len(leaks) > 1:
                sentence += f" (and {len(leaks) - 1} more)"
        if sentence not in said:
            said.append(sentence)
    return "; ".join(said[:3])
