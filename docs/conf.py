"""The site, made of the same Markdown files that are read in the repository: make docs."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath("tools"))
from book.files import SCHEME

language = os.environ.get("DOCS_LANGUAGE", "en")  # another one's pages are in a folder of the site
project = "The matrix product, step by step" if language == "en" else "矩阵乘法，一步一步来"
author = "the authors"
extensions = ["myst_parser", "sphinx.ext.mathjax", "book.card", "book.contents", "book.files", "book.players", "book.search", "book.terms", "book.theme", "book.translation"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "tools"]
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # a block may be a part of a line
nitpicky = True

locale_dirs = ["locale"]  # book.translation
gettext_compact = False

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5  # the names that GitHub gives them
myst_update_mathjax = False
myst_url_schemes = ["http", "https", "mailto", SCHEME]

html_theme = "furo"
html_title = project
html_baseurl = os.environ.get("DOCS_URL", "")  # where the site is; the workflow knows
if html_baseurl and language != "en":
    html_baseurl = html_baseurl.rstrip("/") + "/" + language
html_static_path = ["tools/static"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sphinx = False

mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {
    "tex2jax": {"ignoreClass": ".*", "processClass": "math"},
    "showMathMenu": False,
    "messageStyle": "none",
}
