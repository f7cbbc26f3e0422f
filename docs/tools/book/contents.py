"""The navigation: the parts and pages of docs/README.md, in its order. A part is a heading of
the third level there; a page is named in it by a link, whose text is its title."""
import os
import re


def is_page(path):
    """path is relative to docs/."""
    return path.endswith(".md") and not path.startswith(("..", "tools"))


def find_parts(text):
    """{part: {page: title}}; a chapter's title begins with its number."""
    parts, own = {}, None
    for line in text.split("\n"):
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            own = parts.setdefault(heading[2], {}) if heading[1] == "###" else None
        elif own is not None:
            for title, target in re.findall(r"\[([^]]+)\]\(([^)#]+)\)", line):
                page, number = os.path.normpath(target)[:-3], re.match(r"(\d\d)_", target)
                if is_page(target):
                    own.setdefault(
                        page, f"{number[1]} {title}" if number and number[1] != "00" else title
                    )
    return {part: pages for part, pages in parts.items() if pages}


def add_contents(app, name, source):
    if name != app.config.root_doc:
        return
    parts = find_parts(source[0])
    others = set(app.env.found_docs) - {page for pages in parts.values() for page in pages} - {name}
    if others:
        parts["Notes"] = {page: "" for page in sorted(others)}
    for part, pages in parts.items():
        entries = "\n".join(f"{title} <{page}>" if title else page for page, title in pages.items())
        source[0] += f'\n\n```{{toctree}}\n:hidden:\n:caption: "{part}"\n\n{entries}\n```\n'


def setup(app):
    app.connect("source-read", add_contents, priority=400)  # before links to files are named
    return {"parallel_read_safe": True}
