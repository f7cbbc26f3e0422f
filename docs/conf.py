"""The site, made of the same Markdown files that are read in the repository: make docs."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath("tools"))
from book.files import SCHEME

project = "The matrix product, step by step"
author = "the authors"
extensions = ["myst_parser", "sphinx.ext.mathjax", "book.card", "book.contents", "book.files", "book.players", "book.search", "book.terms", "book.theme"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build", "tools"]
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]  # a block may be a part of a line
nitpicky = True

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 5  # the names that GitHub gives them
myst_update_mathjax = False
myst_url_schemes = ["http", "https", "mailto", SCHEME]

html_theme = "furo"
html_title = project
html_baseurl = os.environ.get("DOCS_URL", "")  # where the site is; the workflow knows
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
