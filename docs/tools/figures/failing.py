"""Where an error inside a kernel surfaces: the host's calls and the device's work, in time."""
from figures.drawing import BLOCK, BOLD, END, MIDDLE, REQUEST, WARP
from figures.drawing import arrow, box, fill, rect, rule, svg, text


def draw_failing():
    left, host, device = 90, 44, 138
    calls = ((0, 110, "launch|no error"), (120, 150, "cudaGetLastError|no error"))
    calls += ((430, 190, "cudaDeviceSynchronize|illegal address"),)
    calls += ((630, 150, "cudaMalloc|illegal address"),)
    body = [text(12, 20, "An access out of bounds: when the host hears of it", BOLD)]
    body += [text(left - 12, host + 28, "host", END), text(left - 12, device + 28, "device", END)]
    for x, wide, words in calls:
        body += box(left + x, host, wide, 48, words, REQUEST if "illegal" in words else BLOCK)
    body += [
        *box(left + 200, device, 170, 48, "the kernel runs", WARP),
        rect(left + 366, device, 8, 48, fill(REQUEST)),
        text(left + 380, device + 28, "the wrong access: the context is lost"),
        arrow(left + 60, host + 52, left + 200, device + 20),
        arrow(left + 372, device - 4, left + 440, host + 54),
        rule(left, device + 66, left + 780, device + 66),
        text(left + 390, device + 84, "time", MIDDLE),
    ]
    return svg(left + 800, device + 98, "When the host hears of an error inside a kernel", body)


def pictures():
    yield "failing.svg", draw_failing()
