"""Parts of columns in the shared memories of a cluster (step 79)."""
from figures.drawing import BLOCK, BOLD, REQUEST, WARP, arrow, fill, legend, rect, svg, text

PARTS, HIGH = 8, 30


def draw_parts():
    """16 columns of B in eight parts, and the blocks that keep them."""
    body = [text(12, 20, "A cluster of eight blocks keeps 16 columns of B, n rows", BOLD)]
    body += legend(12, 42, ((BLOCK, "elements"), (WARP, "largest of a part"), (REQUEST, "of the column: each block looks at all eight")))
    for part in range(PARTS):
        y = 60 + part * HIGH
        body.append(rect(12, y, 64, HIGH - 3, fill(BLOCK)))
        body.append(arrow(84, y + HIGH / 2, 150, y + HIGH / 2))
        body += [rect(158, y, 110, HIGH - 3, fill(BLOCK)), text(276, y + 19, f"block {part}, rows {part} n / 8 to {part + 1} n / 8")]
        body += [rect(480, y, 64, HIGH - 3, fill(WARP))]
        body.append(arrow(552, y + HIGH / 2, 600, 60 + PARTS * HIGH / 2))
    body += [rect(608, 60 + PARTS * HIGH / 2 - HIGH / 2, 64, HIGH - 3, fill(REQUEST))]
    body += [text(12, 60 + PARTS * HIGH + 16, "B"), text(158, 60 + PARTS * HIGH + 16, "shared memory"), text(480, 60 + PARTS * HIGH + 16, "16 largest elements")]
    return svg(690, 60 + PARTS * HIGH + 28, "Columns of B in the shared memories of a cluster", body)


def pictures():
    yield "parts_79.svg", draw_parts()
