"""Parts of the site's build, each a small extension of Sphinx: conf.py lists them."""
