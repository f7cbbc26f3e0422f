# expect 35: read past a
# gpu 65: out of bounds: .*read past
# At the edge too the view claims BLOCK x BLOCK elements.
s/{min(BLOCK, a.width - column), min(BLOCK, a.height - row), /{BLOCK, BLOCK, /
