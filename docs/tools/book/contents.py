"""The navigation: the parts and pages of docs/README.md, in its order. A part is a heading of
the third level there; a page is named in it by a link, whose text is its title. Chapters of steps
that have left the ladder are below the page of old steps."""
import os
import re

OLD_STEPS = "old_steps"


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


def read(app, page):
    with open(os.path.join(app.srcdir, page + ".md"), encoding="utf-8") as file:
        return file.read()


def find_left(app, parts):
    """The pages that that of old steps names and no part does."""
    links = re.findall(r"\]\(([^)#]+)\)", read(app, OLD_STEPS))
    pages = dict.fromkeys(os.path.normpath(link)[:-3] for link in links if is_page(link))
    return [page for page in pages if not any(page in own for own in parts.values())]


def add_contents(app, name, source):
    if name not in (app.config.root_doc, OLD_STEPS):
        return
    parts = find_parts(read(app, app.config.root_doc))
    left = find_left(app, parts)
    if name == OLD_STEPS:
        source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(left) + "\n```\n"
        return
    others = set(app.env.found_docs) - {page for pages in parts.values() for page in pages} - {name}
    others -= set(left)
    if others:
        parts["Notes"] = {page: "" for page in sorted(others)}
    for part, pages in parts.items():
        entries = "\n".join(f"{title} <{page}>" if title else page for page, title in pages.items())
        source[0] += f'\n\n```{{toctree}}\n:hidden:\n:caption: "{part}"\n\n{entries}\n```\n'


def setup(app):
    app.connect("source-read", add_contents, priority=400)  # before links to files are named
    return {"parallel_read_safe": True}
