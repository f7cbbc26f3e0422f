"""What all pictures are drawn with: SVG, texts, boxes, arrows, legends, fields of words.
Colours are legible on white and on black; the background is the page's."""
import math

from figures.fonts import width

INK, REQUEST, WARP, BLOCK = "#767d88", "#e08a00", "#2f81c7", "#93a1b0"
BOLD = 'font-weight="bold"'
SQUARE = 12  # pixels, of a legend
MIDDLE, END = 'text-anchor="middle"', 'text-anchor="end"'


def svg(wide, high, title, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
        f'height="{high:g}" role="img" font-family="sans-serif" font-size="13" fill="{INK}">\n'
        f"<title>{title}</title>\n" + "\n".join(body) + "\n</svg>\n"
    )


def text(x, y, words, *more):
    attributes = " ".join((f'x="{x:g}" y="{y:g}"', *more))
    return f"<text {attributes}>{words}</text>"


def legend(x, y, entries):
    """Squares of a colour, each with what it stands for; y is the words' base line."""
    body = []
    for colour, words in entries:
        body += [
            f'<rect x="{x:g}" y="{y - 11:g}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>',
            text(x + 17, y, words),
        ]
        x = math.ceil(x + 17 + width(words) + 22)
    return body


def panel(x, y, wide, high, layers, name, cell):
    """A field of wide x high words; layers: (words, colour), later ones above."""
    body = [text(x, y - 8, name)] if name else []
    body += [
        '<g shape-rendering="crispEdges">',
        f'<rect x="{x:g}" y="{y:g}" width="{wide * cell:g}" height="{high * cell:g}" fill="none" '
        f'stroke="{INK}" stroke-opacity="0.6"/>',
    ]
    above = {word: colour for cells, colour in layers for word in cells}
    for row in range(high):
        start = 0
        while start < wide:
            colour, end = above.get(row * wide + start), start + 1
            while end < wide and above.get(row * wide + end) == colour:
                end += 1
            if colour:
                body.append(
                    f'<rect x="{x + start * cell:g}" y="{y + row * cell:g}" '
                    f'width="{(end - start) * cell:g}" height="{cell:g}" fill="{colour}"/>'
                )
            start = end
    return [*body, "</g>"]


def box(x, y, wide, high, words, colour):
    """A frame around lines of text, which | separates."""
    lines = words.split("|")
    body = [
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="4" fill="none" '
        f'stroke="{colour}" stroke-width="2"/>'
    ]
    for number, line in enumerate(lines):
        assert width(line) <= wide - 8, f"wider than its box: {line}"
        body.append(
            text(
                x + wide / 2, y + high / 2 + 5 + 17 * (number - (len(lines) - 1) / 2), line, MIDDLE
            )
        )
    return body


def arrow(x1, y1, x2, y2):
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    return (
        f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}M{x2 - 8 * ux - 4 * uy:.1f} {y2 - 8 * uy + 4 * ux:.1f}'
        f'L{x2:g} {y2:g}L{x2 - 8 * ux + 4 * uy:.1f} {y2 - 8 * uy - 4 * ux:.1f}" stroke="{INK}" '
        f'stroke-width="1.5" fill="none"/>'
    )


def rule(x1, y1, x2, y2, opacity=0.3, thick=1):
    """A straight line of a grid."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{INK}" '
        f'stroke-width="{thick}" stroke-opacity="{opacity}"/>'
    )


def dashed_frame(x, y, wide, high):
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="6" fill="none" stroke="{INK}" '
        f'stroke-dasharray="5 3"/>'
    )
