"""What the checks need to know of a Markdown file: its code blocks and paragraphs with their
markers, links, anchors."""
import re
from dataclasses import dataclass, field

KINDS = ("source", "diff", "run", "raw", "example", "table")
MARKER = re.compile(r"^\s*<!--\s*(" + "|".join(KINDS) + r")\b\s*:?\s*(.*?)\s*-->\s*$")
NUMBERS = re.compile(r"^\s*<!--\s*numbers\b\s*:?")
FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
LIST_ITEM = re.compile(r"^\s*([-*+]|\d+[.)])\s")
LINK = re.compile(
    r"\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)"
)  # its text may begin on the line above
# Regions that a tool writes and holds, ladder.py and which_kernel.py: their numbers need no source here.
MADE = re.compile(r"<!-- (/?)(?:ladder|kernels|products|operands|calls) -->")
HTML_LINK = re.compile(r"<(?:a|img|source)\s[^>]*?\b(?:href|src|srcset)=\"([^\"]*)\"")


@dataclass
class Block:
    """A code block, or the table below a `table` marker."""

    line: int  # of its first line of text, from 1
    lines: list
    kind: str = ""  # of its marker, "" without one
    argument: str = ""
    fenced: bool = True


@dataclass
class Prose:
    """A paragraph, a list or a table that has no `table` marker."""

    line: int
    lines: list = field(default_factory=list)  # an empty one stands for what is no prose
    entries: list = field(default_factory=list)  # of its `numbers` marker: (line, text)


@dataclass
class Page:
    path: str
    blocks: list = field(default_factory=list)
    prose: list = field(default_factory=list)
    links: list = field(default_factory=list)  # (line, target)
    headings: list = field(default_factory=list)
    anchors: set = field(default_factory=set)
    errors: list = field(default_factory=list)  # (line, message)


def anchor(heading):
    """The name that GitHub gives a heading."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return text.replace(" ", "-")


def dedent(lines, width):
    return [line[min(width, len(line) - len(line.lstrip(" "))) :] for line in lines]


def read(path, text=None):
    """Takes a page apart. `text` stands for the file's where it is given."""
    page = Page(path)
    if text is None:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    lines = text.split("\n")
    marker = None  # (line, kind, argument), until its block comes
    entries = []  # of a `numbers` marker, until its paragraph comes
    in_list = in_comment = made = False  # made: within a region of MADE
    i = 0

    def take(block):
        nonlocal marker
        if marker:
            block.kind, block.argument = marker[1], marker[2]
        marker = None
        page.blocks.append(block)
        numbers_end()

    def numbers_end():
        nonlocal entries
        if entries:
            page.errors.append(
                (entries[0][0], "numbers without a paragraph, a list or a table below")
            )
        entries = []

    def add_prose(at):
        """Lines that follow each other are one paragraph; a list goes on after an empty line."""
        nonlocal entries
        last = page.prose[-1] if page.prose else None
        after = last.line + len(last.lines) if last else 0
        goes_on = (
            last
            and not entries
            and (
                at + 1 == after
                or (
                    in_list
                    and LIST_ITEM.match(last.lines[0])
                    and not any(l.strip() for l in lines[after - 1 : at])
                )
            )
        )
        if not goes_on:
            last = Prose(at + 1, [], entries)
            page.prose.append(last)
            entries = []
        last.lines += [""] * (at + 1 - last.line - len(last.lines)) + [lines[at]]

    while i < len(lines):
        line = lines[i]
        fence = FENCE.match(line)
        if in_comment:
            in_comment = "-->" not in line
        elif MARKER.match(line):
            if marker:
                page.errors.append((marker[0], "a marker without a block"))
            marker = (i + 1, *MARKER.match(line).groups())
        elif NUMBERS.match(line):
            numbers_end()
            start = i
            while i + 1 < len(lines) and "-->" not in lines[i]:
                i += 1
            entries = numbers_of(lines[start : i + 1], start + 1)
        elif line.lstrip().startswith("<!--"):
            in_comment = "-->" not in line
            region = MADE.search(line)
            made = not region[1] if region else made
        elif fence and not (fence[2][0] == "`" and "`" in fence[3]):
            closing = re.compile(
                r"^ *" + re.escape(fence[2][0]) + "{" + str(len(fence[2])) + r",}\s*$"
            )
            start = i + 1
            i = start
            while i < len(lines) and not closing.match(lines[i]):
                i += 1
            if i == len(lines):
                page.errors.append((start, "the fence is not closed"))
            take(Block(start + 1, dedent(lines[start:i], len(fence[1]))))
        elif (
            line.startswith("    ")
            and line.strip()
            and not in_list
            and (i == 0 or not lines[i - 1].strip() or MARKER.match(lines[i - 1]))
        ):
            start = i
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                i += 1
            body = lines[start:i]
            while not body[-1].strip():
                body.pop()
            i -= 1
            take(Block(start + 1, dedent(body, 4), fenced=False))
        elif marker and marker[1] == "table" and line.startswith("|"):
            start = i
            while i < len(lines) and lines[i].startswith("|"):
                i += 1
            take(Block(start + 1, lines[start:i]))
            for at in range(start, i):
                find_links(page, at + 1, lines[at])
            i -= 1
        elif line.strip():
            if marker:
                page.errors.append((marker[0], "a marker without a block"))
                marker = None
            heading = re.match(r"^(#{1,6})\s+(.*?)\s*#*$", line)
            if heading:
                numbers_end()
                page.headings.append(heading[2])
                name, count = anchor(heading[2]), 0
                while (name + f"-{count}" if count else name) in page.anchors:
                    count += 1
                page.anchors.add(name + f"-{count}" if count else name)
            page.anchors.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
            in_list = bool(LIST_ITEM.match(line)) or (in_list and line.startswith(" "))
            if not heading and not made:
                add_prose(i)
            find_links(page, i + 1, line)
        i += 1
    if marker:
        page.errors.append((marker[0], "a marker without a block"))
    numbers_end()
    return page


def numbers_of(lines, first):
    """[(line, text)] of a `numbers` marker; a line that begins further right goes on with the one
    above."""
    entries, margin = [], None
    for at, line in enumerate(lines):
        text = NUMBERS.sub("", line) if at == 0 else line
        text = text.partition("-->")[0].rstrip()
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip())
        if at and margin is None:
            margin = indent
        if at and indent > margin and entries:
            entries[-1] = (entries[-1][0], entries[-1][1] + " " + text.strip())
        else:
            entries.append((first + at, text.strip()))
    return entries or [(first, "")]


def find_links(page, line, text):
    text = re.sub(
        r"(`+).*?\1", lambda code: "c" * len(code[0]), text
    )  # code is no link; a link's text may be code
    for found in LINK.finditer(text):
        page.links.append((line, found[1]))
    for found in HTML_LINK.finditer(text):
        page.links.append((line, found[1].split(" ")[0]))
    definition = re.match(r"^\s{0,3}\[[^]^]+\]:\s*(\S+)", text)
    if definition:
        page.links.append((line, definition[1]))
