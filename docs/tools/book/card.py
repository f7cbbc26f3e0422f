"""What others show of a page: the card of a link to it (og: tags and a picture, 1200 x 630 pixels), and the
icon of its tab. Both pictures have the ladder's bars, and are drawn here. DOCS_URL in the environment is the
address of the site: the tags need whole addresses."""
import html
import itertools
import math
import os
import re
import struct
import zlib

WIDE, HIGH = 1200, 630
BACK, TEXT, QUIET = (20, 24, 29), (230, 233, 237), (154, 164, 175)
COLOURS = ((147, 160, 177), (47, 129, 199), (224, 138, 0))  # of the parts, as in the ladder
LOW, HIGHEST = 0.03, 6  # of the bars, in multiples of cuBLAS SGEMM
LINES = (  # x, y, pixels of a dot, colour, words
    (72, 64, 9, TEXT, "THE MATRIX PRODUCT,"),
    (72, 152, 9, TEXT, "STEP BY STEP"),
    (72, 250, 4, QUIET, "FROM THREE LOOPS PAST CUBLAS. NO GPU NEEDED"),
)
FONT = {  # 5 columns of 7 dots, the lowest bit on top
    "A": "7e1111117e", "B": "7f49494936", "C": "3e41414122", "D": "7f4141221c", "E": "7f49494941",
    "F": "7f09090901", "G": "3e4149497a", "H": "7f0808087f", "I": "00417f4100", "K": "7f08142241",
    "L": "7f40404040", "M": "7f020c027f", "N": "7f0408107f", "O": "3e4141413e", "P": "7f09090906",
    "R": "7f09192946", "S": "4649494931", "T": "01017f0101", "U": "3f4040403f", "X": "6314081463",
    "Y": "0708700807", " ": "0000000000", ",": "0050300000", ".": "0060600000",
}  # fmt: skip


def bars():
    """[(colour, multiple of cuBLAS SGEMM)]"""
    from figures import climb

    return [
        (colour, multiple)
        for colour, (_, steps) in zip(itertools.cycle(COLOURS), climb.climb())
        for _, multiple in steps
    ]


class Canvas:
    def __init__(self):
        self.rows = [bytearray(bytes(BACK) * WIDE) for _ in range(HIGH)]

    def rect(self, x, y, wide, high, colour):
        assert x + wide <= WIDE and y + high <= HIGH
        for row in self.rows[y : y + high]:
            row[3 * x : 3 * (x + wide)] = bytes(colour) * wide

    def words(self, x, y, dot, colour, words):
        for letter in words:
            for column, bits in enumerate(bytes.fromhex(FONT[letter])):
                for row in range(7):
                    if bits >> row & 1:
                        self.rect(x + column * dot, y + row * dot, dot, dot, colour)
            x += 6 * dot

    def png(self):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        head = struct.pack(">IIBBBBB", WIDE, HIGH, 8, 2, 0, 0, 0)
        body = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def draw_card():
    canvas = Canvas()
    for line in LINES:
        canvas.words(*line)
    all_bars = bars()
    step, bottom, tall = (WIDE - 144) // max(1, len(all_bars)), HIGH - 56, 240
    for i, (colour, multiple) in enumerate(all_bars):
        part = math.log(max(multiple, LOW) / LOW) / math.log(HIGHEST / LOW)
        high = max(2, round(tall * part))
        canvas.rect(72 + i * step, bottom - high, step - 6, high, colour)
    return canvas.png()


def draw_icon():
    bars = ((2, 18, 10), (12, 10, 18), (22, 2, 26))  # x, y, height
    body = "".join(
        f'<rect x="{x}" y="{y}" width="8" height="{high}" rx="1" fill="rgb{colour}"/>'
        for (x, y, high), colour in zip(bars, COLOURS)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 30">{body}</svg>\n'


def describe(body):
    """The first sentences of a page, as far as 200 characters go."""
    first = re.search(r"<p>(.*?)</p>", body, re.S)
    words = html.unescape(re.sub(r"<[^>]*>", "", first[1] if first else "")).split()
    said = ""
    for word in words:
        if len(said) + len(word) > 200:
            return said + " ..."
        said += " " * bool(said) + word
    return said


def add_tags(app, page, template, context, doctree):
    url = app.config.html_baseurl
    title = html.unescape(re.sub(r"<[^>]*>", "", context.get("title", "") or app.config.project))
    picture = context["pathto"]("_static/card.png", 1)
    tags = {
        "og:type": "article",
        "og:site_name": app.config.project,
        "og:title": title,
        "og:description": describe(context.get("body", "")) or app.config.project,
        "og:image": url.rstrip("/") + "/_static/card.png" if url else picture,
        "og:image:width": str(WIDE),
        "og:image:height": str(HIGH),
        "og:image:alt": "Bars: the speed of each step",
    }
    if url:
        tags["og:url"] = f"{url.rstrip('/')}/{page}.html"
    lines = [f'<meta property="{name}" content="{html.escape(text)}"/>' for name, text in tags.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image"/>')
    lines.append(f'<meta name="description" content="{html.escape(tags["og:description"])}"/>')
    icon = context["pathto"]("_static/favicon.svg", 1)
    lines.append(f'<link rel="icon" type="image/svg+xml" href="{icon}"/>')
    context["metatags"] = context.get("metatags", "") + "\n" + "\n".join(lines) + "\n"


def draw(app, error):
    if error or app.builder.name != "html":
        return
    root = os.getcwd()
    os.chdir(os.path.dirname(app.srcdir))  # the figures' data is found from the root
    try:
        card = draw_card()
    finally:
        os.chdir(root)
    with open(os.path.join(app.outdir, "_static/card.png"), "wb") as file:
        file.write(card)
    with open(os.path.join(app.outdir, "_static/favicon.svg"), "w", encoding="utf-8") as file:
        file.write(draw_icon())


def setup(app):
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", draw)
