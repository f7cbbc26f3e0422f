"""Links to files of the repository: to a page of the site that shows the file."""
import os
import re
import subprocess

import markdown
from book.contents import is_page
from sphinx.util import logging

SCHEME = "repository"  # of a link to a file that is no page of the book
LEXERS = {
    ".cu": "cuda",
    ".c": "c",
    ".h": "c",
    ".cpp": "cpp",
    ".sh": "sh",
    ".py": "python",
    ".gp": "gnuplot",
}
files = set()


def name_files(app, name, source):
    root = os.path.dirname(app.srcdir)

    def replace(link):
        target, _, _ = link[1].partition("#")
        if not target or re.match(r"[a-z]+:", target) or target.endswith((".svg", ".png")):
            return link[0]
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if is_page(path):
            return link[0]
        return link[0].replace(
            link[1], f"{SCHEME}:{os.path.relpath(os.path.join(app.srcdir, path), root)}"
        )

    source[0] = markdown.LINK.sub(replace, source[0])


def page_of(path):
    return "files/" + path.replace(".", "_")


def link_files(app, doctree, name):
    for node in doctree.findall(
        lambda n: n.get("refuri", "").startswith(SCHEME + ":") if hasattr(n, "get") else False
    ):
        path = node["refuri"].partition(":")[2]
        if not os.path.exists(os.path.join(os.path.dirname(app.srcdir), path)):
            logging.getLogger(__name__).warning(
                "a link to %s, which is not there", path, location=node
            )
            continue
        files.add(path)
        # A page in another language, in a folder of the site, leads to the site's.
        up = "" if app.config.language == "en" else "../"
        node["refuri"] = up + app.builder.get_relative_uri(name, page_of(path))


def show_files(app):
    if app.config.language != "en":
        return
    root = os.path.dirname(app.srcdir)
    for path in sorted(files):
        full = os.path.join(root, path)
        lexer = LEXERS.get(os.path.splitext(path)[1])
        if os.path.isdir(full):
            listed = subprocess.run(
                ["git", "ls-files", "."], cwd=full, capture_output=True, text=True
            ).stdout
            text = listed or "\n".join(sorted(os.listdir(full))) + "\n"
        else:
            with open(full, encoding="utf-8", errors="replace") as file:
                text = file.read()
        body = app.builder.highlighter.highlight_block(
            text, lexer or "none", linenos=lexer and "inline"
        )
        yield page_of(path), {"title": path, "body": f"<h1>{path}</h1>\n{body}"}, "page.html"


def setup(app):
    app.connect("source-read", name_files)
    app.connect("doctree-resolved", link_files)
    app.connect("html-collect-pages", show_files)
