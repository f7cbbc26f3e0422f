"""split-K: one tile of C by one block, or by several, each with a part of k."""
from figures.beside import lanes
from figures.drawing import BOLD, REQUEST, WARP, legend, svg, text

K, PARTS = 8192, 4
WHOLE = 10  # units of time of all products


def draw_split():
    body = [text(12, 20, f"One tile of C, {K} products for each element; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((WARP, "products"), (REQUEST, "sums of the parts are added")))
    body += lanes(62, "one block", [(0, 0, WHOLE, f"k from 0 to {K - 1}", WARP)], 130)
    part, wide = K // PARTS, WHOLE / PARTS * 1.6  # drawn wider, so that its words fit
    parts = [(i, 0, wide, f"k from {i * part} to {(i + 1) * part - 1}", WARP) for i in range(PARTS)]
    parts.append((0, wide, wide + 1.6, "add", REQUEST))
    body += lanes(126, f"{PARTS} blocks", parts, 130)
    body.append(text(130 + (wide + 1.8) * 46, 126 + 21, "in any order, or in a fixed one"))
    return svg(130 + WHOLE * 46 + 60, 126 + PARTS * 44 + 8, "split-K", body)


def pictures():
    yield "split_k.svg", draw_split()
