# expect 35: read past a
# At the edge too the view claims BLOCK x BLOCK elements.
s/{min(BLOCK, a.width - column), min(BLOCK, a.height - row), /{BLOCK, BLOCK, /
