"""What the checks need to know of a Markdown file: its code blocks with their markers, its links, its anchors."""
import re
from dataclasses import dataclass, field

KINDS = ("source", "diff", "run", "raw", "example", "table")
MARKER = re.compile(r"^\s*<!--\s*(" + "|".join(KINDS) + r")\b\s*:?\s*(.*?)\s*-->\s*$")
FENCE = re.compile(r"^( *)(`{3,}|~{3,})(.*)$")
LIST_ITEM = re.compile(r"^\s*([-*+]|\d+[.)])\s")
LINK = re.compile(r"\]\(\s*<?([^)\s>]*)>?(?:\s+\"[^\"]*\")?\s*\)")  # its text may begin on the line above
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
class Page:
    path: str
    blocks: list = field(default_factory=list)
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
    return [line[min(width, len(line) - len(line.lstrip(" "))):] for line in lines]


def read(path, text=None):
    """Takes a page apart. `text` stands for the file's where it is given."""
    page = Page(path)
    if text is None:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    lines = text.split("\n")
    marker = None  # (line, kind, argument), until its block comes
    in_list = in_comment = False
    i = 0

    def take(block):
        nonlocal marker
        if marker:
            block.kind, block.argument = marker[1], marker[2]
        marker = None
        page.blocks.append(block)

    while i < len(lines):
        line = lines[i]
        fence = FENCE.match(line)
        if in_comment:
            in_comment = "-->" not in line
        elif MARKER.match(line):
            if marker:
                page.errors.append((marker[0], "a marker without a block"))
            marker = (i + 1, *MARKER.match(line).groups())
        elif line.lstrip().startswith("<!--") and "-->" not in line:
            in_comment = True
        elif fence and not (fence[2][0] == "`" and "`" in fence[3]):
            closing = re.compile(r"^ *" + re.escape(fence[2][0]) + "{" + str(len(fence[2])) + r",}\s*$")
            start = i + 1
            i = start
            while i < len(lines) and not closing.match(lines[i]):
                i += 1
            if i == len(lines):
                page.errors.append((start, "the fence is not closed"))
            take(Block(start + 1, dedent(lines[start:i], len(fence[1]))))
        elif line.startswith("    ") and line.strip() and not in_list and (i == 0 or not lines[i - 1].strip()
                                                                         or MARKER.match(lines[i - 1])):
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
                page.headings.append(heading[2])
                name, count = anchor(heading[2]), 0
                while (name + f"-{count}" if count else name) in page.anchors:
                    count += 1
                page.anchors.add(name + f"-{count}" if count else name)
            page.anchors.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
            in_list = bool(LIST_ITEM.match(line)) or (in_list and line.startswith(" "))
            find_links(page, i + 1, line)
        i += 1
    if marker:
        page.errors.append((marker[0], "a marker without a block"))
    return page


def find_links(page, line, text):
    text = re.sub(r"(`+).*?\1", lambda code: "c" * len(code[0]), text)  # code is no link; a link's text may be code
    for found in LINK.finditer(text):
        page.links.append((line, found[1]))
    for found in HTML_LINK.finditer(text):
        page.links.append((line, found[1].split(" ")[0]))
    definition = re.match(r"^\s{0,3}\[[^]^]+\]:\s*(\S+)", text)
    if definition:
        page.links.append((line, definition[1]))
