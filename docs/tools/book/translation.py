"""The book in other languages: Sphinx's gettext catalogues, whose messages have places instead of numbers, code and
targets of links (translation.py), and on each page a link to the same page in the other language."""
import os
import re
from collections import defaultdict
from gettext import NullTranslations

import sphinx.locale
import translation
from sphinx.builders import gettext
from sphinx.transforms import SphinxTransform, i18n
from sphinx.util.nodes import extract_messages

NAMES = {"en": "English", translation.LANGUAGE: "中文"}


class Catalog(gettext.Catalog):
    def add(self, msg, origin):
        for message in translation.messages_of(msg):
            super().add(message, origin)


class CatalogBuilder(gettext.MessageCatalogBuilder):
    def init(self):
        super().init()
        self.catalogs = defaultdict(Catalog)


def catalogue_of(app, page):
    folders = [os.path.join(app.srcdir, folder) for folder in app.config.locale_dirs]
    return sphinx.locale.init(folders, app.config.language, page)[0]


class Paragraphs(NullTranslations):
    """The catalogue that Sphinx asks for a page's paragraphs: its messages, filled in."""

    def __init__(self, filled):
        super().__init__()
        self._catalog = filled

    def gettext(self, text):
        return self._catalog.get(text, text)


class Fill(SphinxTransform):
    default_priority = i18n.Locale.default_priority - 1

    def apply(self, **arguments):
        find = catalogue_of(self.app, self.env.docname).gettext
        texts = [text for _, text in extract_messages(self.document)]
        # Sphinx would parse a displayed formula as a paragraph: translate_formulas.
        filled = {text: translation.translate(text, find) for text in texts if not translation.is_formula(text)}
        filled = {text: said for text, said in filled.items() if said != text}
        i18n.init_locale = lambda *which: (Paragraphs(filled), bool(filled))


def translate_formulas(app, name, source):
    find = catalogue_of(app, name).gettext
    source[0] = re.sub(
        r"\$\$([^$]+)\$\$", lambda formula: f"$${translation.translate(formula[1], find)}$$", source[0]
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
    if app.config.language == translation.LANGUAGE:
        app.connect("source-read", translate_formulas)
        app.add_transform(Fill)
    app.connect("html-page-context", add_switch)
