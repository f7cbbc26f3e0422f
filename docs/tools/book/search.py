"""The search shows first where a term of the glossary is explained, then its entry."""
import json
import os

import explained

FIRST = """
/* ---- of this book: where a term is explained comes first ---- */
const EXPLAINED = %s;
Scorer.score = result => {
  const query = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase().trim();
  const places = EXPLAINED[query] || EXPLAINED[query.replace(/s$/, "")] || [];
  const at = places.findIndex(([page]) => page === result[0]);
  if (at < 0 || (result[2] && result[2] !== places[at][1])) return result[4];
  const isListed = !result[2] && result[0] === "glossary" && 2 * query.length >= places[at][1].length;
  if (isListed) return result[4]; /* the entry's title is a result of its own */
  result[2] = places[at][1];
  return 1000 * (places.length - at) + result[4];
};
"""


def add_places(app, error):
    if error or app.builder.name != "html":
        return
    places = explained.places(os.path.join(app.srcdir, "glossary.md"))
    with open(os.path.join(app.outdir, "_static/searchtools.js"), "a", encoding="utf-8") as file:
        file.write(FIRST % json.dumps(places, sort_keys=True))


def setup(app):
    app.connect("build-finished", add_places)
