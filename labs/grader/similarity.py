"""similarity.py - which submissions share more than the starter: fingerprints of their tokens.

Winnowing: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
Fingerprinting", SIGMOD 2003. Of the hashes of each K tokens in a row, the least of each WINDOW in a
row are a text's fingerprints: any K + WINDOW - 1 tokens that two texts share give them one in
common. Names and numbers are each one token, so that renaming hides nothing.
"""
import hashlib

import source

K, WINDOW = 12, 6
LEAST = 0.5  # of the smaller one's own fingerprints


def fingerprints(text):
    kept = {"name": "n", "number": "0", "string": '"', "raw": '"', "char": "'"}
    words = [kept.get(kind, word) if word not in KEYWORDS else word
             for kind, word, _ in source.tokens(text) if kind not in ("comment", "line")]
    grams = [int(hashlib.sha256(" ".join(words[i:i + K]).encode()).hexdigest()[:15], 16)
             for i in range(len(words) - K + 1)]
    return {min(grams[i:i + WINDOW]) for i in range(max(1, len(grams) - WINDOW + 1))
            if grams[i:i + WINDOW]}


KEYWORDS = {"if", "else", "for", "while", "do", "return", "switch", "case", "break", "continue",
            "static", "const", "extern", "template", "struct", "typedef", "__global__",
            "__shared__", "__device__", "__syncthreads"}


def similar(texts, starter):
    """[(share, name, name)] of {name: text}, the closest first."""
    common = fingerprints(starter)
    own = {name: fingerprints(text) - common for name, text in sorted(texts.items())}
    names, pairs = [name for name in own if own[name]], []
    for i, first in enumerate(names):
        for second in names[i + 1:]:
            share = len(own[first] & own[second]) / min(len(own[first]), len(own[second]))
            if share >= LEAST:
                pairs.append((round(share, 2), first, second))
    return sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))
