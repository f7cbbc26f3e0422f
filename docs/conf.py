"""The site, made of the same Markdown files that are read in the repository: make docs."""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath("tools"))
import markdown
from sphinx.util import logging

project = "The matrix product, step by step"
author = "the authors"
extensions = ["myst_parser", "sphinx.ext.mathjax"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "tools"]
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # a block may be a part of a line
nitpicky = True

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5  # the names that GitHub gives them
myst_update_mathjax = False
FILE = "repository"  # of a link to a file that is no page of the book
myst_url_schemes = ["http", "https", "mailto", FILE]

html_theme = "furo"
html_title = project
html_static_path = ["tools/static"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sphinx = False

# Formulas without a network: Debian's MathJax 2, drawn as SVG.
MATHJAX = "/usr/share/javascript/mathjax"
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/autoload",
                 "jax/output/SVG/config.js", "jax/output/SVG/jax.js", "jax/output/SVG/fonts/TeX"]
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {"tex2jax": {"ignoreClass": ".*", "processClass": "math"}, "showMathMenu": False, "messageStyle": "none"}


def mend(path, wrong, right):
    """In a file of the site, where it is there: files of another Furo do not have it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if wrong in text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(wrong, right()))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def mend_furo(static):
    """Debian's Furo imports a module in what is no module, and a style sheet from the root of a web server, and has lost its
    colours for a reader whose system is dark."""
    mend(os.path.join(static, "scripts/furo.js"), 'import Gumshoe from "./gumshoe-patched.js";',
         lambda: read(static, "scripts/gumshoe-patched.js"))
    mend(os.path.join(static, "styles/furo.css"), "@import url(/javascript/normalize.css/normalize.css);",
         lambda: read("/usr/share/javascript/normalize.css/normalize.css"))
    style = read(static, "styles/furo.css")
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', style)
    if dark and "prefers-color-scheme" not in style:
        with open(os.path.join(static, "styles/furo.css"), "a", encoding="utf-8") as file:
            file.write(f'\n@media screen and (prefers-color-scheme: dark) {{\n  body:not([data-theme="light"]) {{{dark[1]}}} }}\n')


def finish(app, error):
    if error or app.builder.name != "html":
        return
    shutil.copy(os.path.join(app.outdir, "README.html"), os.path.join(app.outdir, "index.html"))
    mend_furo(os.path.join(app.outdir, "_static"))
    for part in MATHJAX_PARTS:
        source, target = os.path.join(MATHJAX, part), os.path.join(app.outdir, "_static/mathjax", part)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


# ---- pages: in the order in which README.md names them (for the last time, where it does so twice) ----

def is_page(path):
    """path is relative to docs/."""
    return path.endswith(".md") and not path.startswith(("..", "tools"))


def add_order(app, name, source):
    if name != root_doc:
        return
    links = [os.path.normpath(target.partition("#")[0]) for _, target in markdown.read("README.md", source[0]).links]
    named = dict.fromkeys(path[:-3] for path in reversed(links) if is_page(path) and path != "README.md")
    others = sorted(set(app.env.found_docs) - set(named) - {root_doc})
    source[0] += "\n\n```{toctree}\n:hidden:\n\n" + "\n".join([*reversed(named), *others]) + "\n```\n"


# ---- links to files of the repository: to a page of their own, which shows the file ----

files = set()


def name_files(app, name, source):
    def replace(link):
        target, _, fragment = link[1].partition("#")
        if not target or re.match(r"[a-z]+:", target) or target.endswith((".svg", ".png")):
            return link[0]
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if is_page(path):
            return link[0]
        return link[0].replace(link[1], f"{FILE}:{os.path.relpath(os.path.join(app.srcdir, path), os.path.dirname(app.srcdir))}")

    source[0] = markdown.LINK.sub(replace, source[0])


def file_page(path):
    return "files/" + path.replace(".", "_")


def link_files(app, doctree, name):
    for node in doctree.findall(lambda n: n.get("refuri", "").startswith(FILE + ":") if hasattr(n, "get") else False):
        path = node["refuri"].partition(":")[2]
        if not os.path.exists(os.path.join(os.path.dirname(app.srcdir), path)):
            logging.getLogger(__name__).warning("a link to %s, which is not there", path, location=node)
            continue
        files.add(path)
        node["refuri"] = app.builder.get_relative_uri(name, file_page(path))


def show_files(app):
    root = os.path.dirname(app.srcdir)
    lexers = {".cu": "cuda", ".c": "c", ".h": "c", ".cpp": "cpp", ".sh": "sh", ".py": "python", ".gp": "gnuplot"}
    for path in sorted(files):
        full = os.path.join(root, path)
        if os.path.isdir(full):
            listed = subprocess.run(["git", "ls-files", "."], cwd=full, capture_output=True, text=True).stdout
            text, lexer = listed or "\n".join(sorted(os.listdir(full))) + "\n", "none"
        else:
            with open(full, encoding="utf-8", errors="replace") as file:
                text, lexer = file.read(), lexers.get(os.path.splitext(path)[1], "none")
        body = app.builder.highlighter.highlight_block(text, lexer, linenos=os.path.splitext(path)[1] in lexers and "inline")
        yield file_page(path), {"title": path, "body": f"<h1>{path}</h1>\n{body}"}, "page.html"


def setup(app):
    app.connect("source-read", add_order)
    app.connect("source-read", name_files)
    app.connect("doctree-resolved", link_files)
    app.connect("html-collect-pages", show_files)
    app.connect("build-finished", finish)
