"""The book in other languages: Sphinx's gettext catalogues, whose messages have places instead of numbers, code and
targets of links (translation.py), and on each page a link to the same page in the other language."""
import os
import re
from collections import defaultdict

import translation
from sphinx.builders import gettext
from sphinx.transforms import i18n

NAMES = {"en": "English", translation.LANGUAGE: "中文"}


class Catalog(gettext.Catalog):
    def add(self, msg, origin):
        for message in translation.messages_of(msg):
            super().add(message, origin)


class CatalogBuilder(gettext.MessageCatalogBuilder):
    def init(self):
        super().init()
        self.catalogs = defaultdict(Catalog)


class Filled:
    """A catalogue that is asked for paragraphs, and has messages with places."""

    def __init__(self, catalogue):
        self.catalogue = catalogue

    def gettext(self, text):
        if translation.is_formula(text):  # Sphinx would parse it as a paragraph: translate_formulas
            return text
        return translation.translate(text, self.catalogue.gettext)


def find_catalogue(*arguments):
    catalogue, has = find_whole(*arguments)
    return Filled(catalogue), has


find_whole, i18n.init_locale = i18n.init_locale, find_catalogue


def translate_formulas(app, name, source):
    if app.config.language != translation.LANGUAGE:
        return
    folders = [os.path.join(app.srcdir, folder) for folder in app.config.locale_dirs]
    catalogue, _ = find_whole(folders, app.config.language, name)
    source[0] = re.sub(
        r"\$\$([^$]+)\$\$",
        lambda formula: f"$${translation.translate(formula[1], catalogue.gettext)}$$",
        source[0],
    )


def add_switch(app, page, template, context, doctree):
    """English is the site's root, another language a folder in it. Pages that show files are English alone."""
    if page.startswith("files/"):
        return
    own = app.config.language or "en"
    other = translation.LANGUAGE if own == "en" else "en"
    root = "../" * page.count("/")
    way = root + ("../" if own != "en" else other + "/") + page + app.builder.out_suffix
    link = f'<a class="language" lang="{other}" hreflang="{other}" href="{way}">{NAMES[other]}</a>'
    context["body"] = link + context.get("body", "")


def setup(app):
    app.add_builder(CatalogBuilder, override=True)
    app.connect("source-read", translate_formulas)
    app.connect("html-page-context", add_switch)
