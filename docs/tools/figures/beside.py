"""Spans of time in lanes below each other: what takes place beside what."""
from figures.drawing import box, text

HIGH, APART = 34, 44  # of a span, and from lane to lane


def lanes(top, name, spans, left=150, unit=46):
    """Spans (lane, start, end, words, colour) below a name; lanes are numbered from the top."""
    body = [text(12, top + 21, name)]
    for lane, start, end, words, colour in spans:
        body += box(left + start * unit, top + lane * APART, (end - start) * unit - 3, HIGH, words, colour)
    return body
