"""What all pictures are drawn with: SVG, texts, boxes, arrows, legends, fields of words.
Colours are legible on white and on black; the background is the page's."""
import math

from figures.fonts import width

INK, REQUEST, WARP, BLOCK = "#767d88", "#e08a00", "#2f81c7", "#93a1b0"
BOLD = 'font-weight="bold"'
SQUARE = 12  # pixels, of a legend
DASHED = 'stroke-dasharray="5 3"'
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


def tag(name, *attributes):
    return f"<{name} {' '.join(attributes)}/>"


def rect(x, y, wide, high, *more):
    return tag("rect", f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"', *more)


def circle(x, y, radius, *more):
    return tag("circle", f'cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"', *more)


def path(steps, *more):
    return tag("path", f'd="{steps}"', *more)


def fill(colour):
    return f'fill="{colour}"'


def stroke(colour, thick=1):
    """The line around a thing that is not filled, or a line."""
    return f'fill="none" stroke="{colour}" stroke-width="{thick:g}"'


def legend(x, y, entries):
    """Squares of a colour, each with what it stands for; y is the words' base line."""
    body = []
    for colour, words in entries:
        body += [rect(x, y - 11, SQUARE, SQUARE, fill(colour)), text(x + 17, y, words)]
        x = math.ceil(x + 17 + width(words) + 22)
    return body


def panel(x, y, wide, high, layers, name, cell):
    """A field of wide x high words; layers: (words, colour), later ones above."""
    body = [text(x, y - 8, name)] if name else []
    body += [
        '<g shape-rendering="crispEdges">',
        rect(x, y, wide * cell, high * cell, stroke(INK), 'stroke-opacity="0.6"'),
    ]
    above = {word: colour for cells, colour in layers for word in cells}
    for row in range(high):
        start = 0
        while start < wide:
            colour, end = above.get(row * wide + start), start + 1
            while end < wide and above.get(row * wide + end) == colour:
                end += 1
            if colour:
                place = (x + start * cell, y + row * cell)
                body.append(rect(*place, (end - start) * cell, cell, fill(colour)))
            start = end
    return [*body, "</g>"]


def box(x, y, wide, high, words, colour):
    """A frame around lines of text, which | separates."""
    lines = words.split("|")
    body = [rect(x, y, wide, high, 'rx="4"', stroke(colour, 2))]
    first = y + high / 2 + 5 - 17 * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        assert width(line) <= wide - 8, f"wider than its box: {line}"
        body.append(text(x + wide / 2, first + 17 * number, line, MIDDLE))
    return body


def arrow(x1, y1, x2, y2):
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    one = f"{x2 - 8 * ux - 4 * uy:.1f} {y2 - 8 * uy + 4 * ux:.1f}"
    other = f"{x2 - 8 * ux + 4 * uy:.1f} {y2 - 8 * uy - 4 * ux:.1f}"
    steps = f"M{x1:g} {y1:g}L{x2:g} {y2:g}M{one}L{x2:g} {y2:g}L{other}"
    return path(steps, stroke(INK, 1.5))


def rule(x1, y1, x2, y2, opacity=0.3, thick=1):
    """A straight line of a grid."""
    ends = f'x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"'
    return tag("line", ends, stroke(INK, thick), f'stroke-opacity="{opacity}"')


def dashed_frame(x, y, wide, high):
    return rect(x, y, wide, high, 'rx="6"', stroke(INK), DASHED)
