"""Debian's Furo made whole, formulas without a network, code that is cut."""
import os
import re
import shutil

# Debian's MathJax 2, drawn as SVG.
MATHJAX = "/usr/share/javascript/mathjax"
MATHJAX_PARTS = [
    "MathJax.js",
    "config/TeX-AMS_SVG.js",
    "extensions",
    "jax/element",
    "jax/input/TeX",
    "jax/output/SVG/autoload",
    "jax/output/SVG/config.js",
    "jax/output/SVG/jax.js",
    "jax/output/SVG/fonts/TeX",
]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def replace(path, wrong, right):
    """In a file of the site, where it is there: files of another Furo do not have it."""
    text = read(path)
    if wrong in text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(wrong, right()))


def complete_furo(static):
    """Debian's Furo imports a module in what is no module, and a style sheet from the root of a web
    server, and has lost its colours for a reader whose system is dark."""
    replace(
        os.path.join(static, "scripts/furo.js"),
        'import Gumshoe from "./gumshoe-patched.js";',
        lambda: read(static, "scripts/gumshoe-patched.js"),
    )
    replace(
        os.path.join(static, "styles/furo.css"),
        "@import url(/javascript/normalize.css/normalize.css);",
        lambda: read("/usr/share/javascript/normalize.css/normalize.css"),
    )
    style = read(static, "styles/furo.css")
    dark = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', style)
    if dark and "prefers-color-scheme" not in style:
        with open(os.path.join(static, "styles/furo.css"), "a", encoding="utf-8") as file:
            file.write(
                "\n@media screen and (prefers-color-scheme: dark) {\n"
                f'  body:not([data-theme="light"]) {{{dark[1]}}} }}\n'
            )


def copy_mathjax(static):
    for part in MATHJAX_PARTS:
        source, target = os.path.join(MATHJAX, part), os.path.join(static, "mathjax", part)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


trees = {}  # the navigation by folder: that of pages which are not in it, the shown files


def keep_tree(app, page, template, context, doctree):
    """Sphinx makes the navigation anew for each page, and most pages show a file. Of these all in a
    folder have the same one."""
    if not page.startswith("files/"):
        return
    make, folder = context["toctree"], os.path.dirname(page)

    def toctree(**how):
        key = folder, *sorted(how.items())
        if key not in trees:
            trees[key] = make(**how)
        return trees[key]

    context["toctree"] = toctree


def mark_cuts(app, page, template, context, doctree):
    """A line ... in a block of code stands for lines that are left out: book.css shows it so."""
    if "body" in context:
        context["body"] = re.sub(
            r'^((?:<pre><span></span>| )*)(?:<span class="\w+">)?\.\.\.(?:</span>)?$',
            r'\1<span class="cut">...</span>',
            context["body"],
            flags=re.M,
        )


def finish(app, error):
    if error or app.builder.name != "html":
        return
    shutil.copy(os.path.join(app.outdir, "README.html"), os.path.join(app.outdir, "index.html"))
    static = os.path.join(app.outdir, "_static")
    complete_furo(static)
    copy_mathjax(static)


def setup(app):
    app.connect("html-page-context", keep_tree, priority=400)  # Furo asks for it
    app.connect("html-page-context", mark_cuts)
    app.connect("build-finished", finish)
