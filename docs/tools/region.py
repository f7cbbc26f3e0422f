"""The part of a page that a program writes: between <!-- NAME --> and <!-- /NAME -->."""
import sys


def read(page, name):
    """(the page up to the region, the region, what comes after it)"""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    first, last = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    begin, end = text.find(first), text.find(last)
    if begin < 0 or end < begin:
        sys.exit(f"{page}: no {first.strip()} ... {last}")
    begin += len(first)
    return text[:begin], text[begin:end], text[end:]


def write(page, name, new, of, command):
    """Writes the region anew; with --check only says (exit status 1) when it is stale. of: what it
    is made from; command: what makes it."""
    before, old, after = read(page, name)
    if new == old:
        print(f"{page}: the {name} is that of {of}")
    elif "--check" in sys.argv:
        sys.exit(f"{page}: the {name} is not that of {of}: '{command}' makes it anew")
    else:
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + new + after)
        print(f"{page}: the {name} was written")
