#!/usr/bin/env python3
"""The pages in another language: docs/locale/LANGUAGE has a gettext catalogue for each page, and terms.txt. A message
is a paragraph without what it says in figures and code: each number, span of code, formula and target of a link is a
place {1}, {2}, ... that is filled from the English page, so that docs-check holds for both.

    /usr/bin/python3 docs/tools/translation.py            what is stale, lacks or is wrong, FILE:LINE: what; status 1
    /usr/bin/python3 docs/tools/translation.py --update   brings the catalogues up to date (msgmerge), and the pages
                                                          that are made of them outside of the site, README.zh.md ...
"""
import difflib
import glob
import os
import re
import subprocess
import sys

from babel.messages.pofile import read_po
from markdown_it import MarkdownIt

LANGUAGE, LOCALE = "zh_CN", "docs/locale/zh_CN"
CATALOGUES = f"{LOCALE}/LC_MESSAGES"
FRESH = "build/locale"  # the messages of the pages as they are
# In the order in which they are read.
PAGES = (
    *("README", "00_before_you_start", "01_cpu_reference", "02_naive_cuda", "streaming_multiprocessor"),
    *("block_size", "03_kahan", "04_row_shared", "05_pitched", "06_tiled", "least_traffic", "07_padded_noif"),
    *("when_things_fail", "bring_your_own", "glossary"),
)
OUTSIDE = {  # pages that are not in the site: {catalogue: file}
    "front_page": "README.md",
    "lab0": "labs/lab0_first_kernels/README.md",
    "lab1": "labs/lab1_rectangular/README.md",
}
# Files whose heads, comments in English, say what is asked for: their translations end the page beside them.
HEADS = {"labs/lab0_first_kernels/README.md": ("各文件开头写着要做的事", "labs/lab0_first_kernels/task*.cu")}
NUMBER = r"(?<![\w{])\d+(?:[.,]\d+)*(?:e[-+]?\d+)?(?: x \d+)*\w*(?: (?:million|billion)\b)?"
PLACE = re.compile(rf"(?P<code>(`+)(?!`).+?(?<!`)\2(?!`))|(?P<math>\$[^$]+\$)|(?<=\]\()(?P<target>[^)\s]+)|(?P<number>{NUMBER})")
FILLED = re.compile(r"\{(\d+)\}")
PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
FORMULA_TEXT = re.compile(r"(?<=\\text\{)([^}]*)(?=\})")  # of a displayed formula only its words are messages


def take_apart(text):
    """(message, [what its places stand for]); the message is empty where nothing is left to translate."""
    values = []

    def take(found):
        values.append(found[0])
        return f"{{{len(values)}}}"

    message = PLACE.sub(take, text)
    if PICTURE.fullmatch(text) or not re.search(r"[A-Za-z]{2}", FILLED.sub("", message)):
        return "", values
    return message, values


def is_formula(text):
    """A displayed one; those in a line stand between $."""
    return bool(re.search(r"\\[a-z]+", text)) and "$" not in text and "`" not in text


def messages_of(text):
    parts = [words.strip() for words in FORMULA_TEXT.findall(text)] if is_formula(text) else [text]
    return [message for message in (take_apart(part)[0] for part in parts) if message]


def in_chinese(value):
    """126 million is 1.26 亿, and 53rd is 53."""
    value = re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", value)
    number, _, scale = value.partition(" ")
    if scale not in ("million", "billion"):
        return value.replace(" x ", " × ") if re.fullmatch(r"[\d.]+(?: x \d+)+", value) else value
    digits = number.replace(",", "")
    whole = round(float(digits) * (10**9 if scale == "billion" else 10**6))
    return f"{whole / 1e8:.12g} 亿" if whole >= 10**8 else f"{whole / 1e4:.12g} 万"


def translate(text, find):
    """A paragraph in the other language; find(message) is its translation, "" or the message itself without one."""
    if re.fullmatch(NUMBER, text):
        return in_chinese(text)
    if is_formula(text):
        return FORMULA_TEXT.sub(lambda words: words[0].replace(words[0].strip(), translate(words[0].strip(), find)), text)
    message, values = take_apart(text)
    found = find(message) if message else ""
    if not found or found == message:
        return text
    said = FILLED.sub(lambda at: in_chinese(values[int(at[1]) - 1]), found)
    return re.sub(r"([亿万]) (?=[\u4e00-\u9fff])", r"\1", said)


def read_catalogue(path):
    """{message: (translation, line, fuzzy)}; the line is that of its msgid, of a fresh one that of the page."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        catalogue = read_po(file)
    return {m.id: (m.string, m.locations[0][1] if m.locations else m.lineno, m.fuzzy) for m in catalogue if m.id}


def inline_tokens(text):
    return [token for token in MarkdownIt("commonmark").enable("table").parse(text) if token.type == "inline"]


def heads_of(path):
    """[(file, [paragraphs of its head])] of the page at path"""
    found = []
    for file in sorted(glob.glob(HEADS[path][1])) if path in HEADS else ():
        with open(file, encoding="utf-8") as text:
            comment = re.sub(r"\n \* ?", "\n", re.match(r"/\* \S+ - (.*?)\s*\*/", text.read(), re.S)[1])
        found.append((os.path.basename(file), [" ".join(part.split()) for part in comment.split("\n\n")]))
    return found


def messages_outside(path):
    """{message: line} of a page that is not in the site; the line of what stands in the head of another file is 1"""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for token in inline_tokens(text):
        content = re.sub(r"\s*\n\s*", " ", token.content)
        picture = PICTURE.fullmatch(content)
        message = take_apart(content[2:].partition("](")[0] if picture else content)[0]
        if message:
            found.setdefault(message, token.map[0] + 1)
    for _, paragraphs in heads_of(path):
        for paragraph in paragraphs:
            found.setdefault(take_apart(paragraph)[0], 1)
    return found


def made_outside(path, find):
    """The text of a page that is not in the site, in the other language; the one links the other."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for token in reversed(inline_tokens("\n".join(lines))):
        first, last = token.map
        content = re.sub(r"\s*\n\s*", " ", token.content)
        if PICTURE.fullmatch(content):
            alt, _, rest = content[2:].partition("](")
            said = f"![{translate(alt, find)}]({rest}"
        else:
            said = translate(content, find)
        if said == content:
            continue
        if lines[first].lstrip().startswith("|"):
            lines[first] = lines[first].replace(f"| {content} |", f"| {said} |", 1)
        else:
            start = re.match(r"\s*(?:[-*+] |\d+[.)] |#+ |> )*", lines[first])[0]
            lines[first:last] = [start + said]
    name, other = os.path.basename(path), os.path.basename(other_name(path))
    heads = [f"- `{file}`：" + "".join(translate(part, find) for part in parts) for file, parts in heads_of(path)]
    if heads:
        lines[-1:] = ["", f"## {HEADS[path][0]}", "", *heads, ""]
    return "\n".join(lines).replace(f"[中文]({other})", f"[English]({name})")


def other_name(path):
    return path.replace(".md", ".zh.md")


def fresh():
    """{catalogue: {message: line of its page}}, of the pages as they are"""
    command = ["/usr/bin/python3", "-m", "sphinx", "-q", "-b", "gettext", "-d", f"{FRESH}/cache", "docs", FRESH]
    subprocess.run(command, check=True)
    found = {page: {m: entry[1] for m, entry in read_catalogue(f"{FRESH}/{page}.pot").items()} for page in PAGES}
    return {**found, **{name: messages_outside(path) for name, path in OUTSIDE.items()}}


def source_of(name):
    return OUTSIDE.get(name, f"docs/{name}.md")


def length_of(name):
    with open(source_of(name), encoding="utf-8") as file:
        return len(file.readlines())


def compare(name, wanted, there):
    """What of a page has no translation, and what translates nothing any more: a changed paragraph is both."""
    path, errors = f"{CATALOGUES}/{name}.po", []
    old = [message for message in there if message not in wanted]
    for message, line in wanted.items():
        said, at, fuzzy = there.get(message, ("", 0, False))
        if said and not fuzzy:
            continue
        where = f"{source_of(name)}:{line}: "
        like = difflib.get_close_matches(message, old, 1, 0.6)
        if like:
            old.remove(like[0])
            errors.append(f"{where}changed since it was translated, {path}:{there[like[0]][1]} (make translation)")
        elif fuzzy:
            errors.append(f"{where}the translation is of another text, {path}:{at} is fuzzy")
        else:
            errors.append(f"{where}not translated in {path}: {message[:60]}")
    return errors + [f"{path}:{there[message][1]}: translates nothing any more: {message[:60]}" for message in old]


def read_terms():
    """[(English, [Chinese, the first one first], [words that are wrong])], of lines ENGLISH = CHINESE | ... ! WRONG | ..."""
    found = []
    with open(f"{LOCALE}/terms.txt", encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                english, _, rest = line.partition("=")
                right, _, wrong = rest.partition("!")
                names = [[word.strip() for word in words.split("|") if word.strip()] for words in (right, wrong)]
                found.append((english.strip(), *names))
    return sorted(found, key=lambda term: -len(term[0]))


def has_term(term, text):
    return re.search(rf"(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])", text, re.I)


def check_words(message, said, terms):
    """What is wrong with a translation: places, numbers of its own, terms."""
    errors = []
    places = (sorted(set(FILLED.findall(text)), key=int) for text in (message, said))
    if len({tuple(found) for found in places}) > 1:
        errors.append("its places {1}, {2}, ... are not those of the message")
    own = PLACE.search(FILLED.sub("", said))
    if own and not own["target"]:
        errors.append(f"'{own[0]}' is in the catalogue: numbers and code come from the page")
    rest = message
    for english, right, wrong in terms:
        errors += [f"'{word}': the term is {right[0]} ({english})" for word in wrong if word in said]
        found = has_term(english, rest)
        if found and not any(word in said for word in right) and not has_term(english, said):
            errors.append(f"'{english}' is {right[0]}, which the translation lacks")
        while found:  # a bank conflict is no bank
            rest = rest[: found.start()] + "_" + rest[found.end() :]
            found = has_term(english, rest)
    return errors


def check_first_uses(said, terms):
    """Where a term's Chinese name comes first, in the order of PAGES, its English one stands beside it.
    said: [(place, text)]"""
    errors, names = [], {}
    for english, right, _ in terms:  # some have the same name: alignment and aligned
        names.setdefault(right[0], []).append(english)
    for name, english in names.items():
        longer = [other for other in names if name in other and name != other]  # 补偿 is a part of 补偿求和
        for where, text in said:
            for other in longer:
                text = text.replace(other, ", ".join(names[other]))
            if name in text:
                if not any(has_term(word, text) for word in english):
                    errors.append(f"{where}: {name} comes first here: with ({english[0]}) beside it")
                break
    return errors


def check():
    terms, errors, said = read_terms(), [], []
    for name, wanted in fresh().items():
        path = f"{CATALOGUES}/{name}.po"
        there = read_catalogue(path)
        errors += compare(name, wanted, there)
        for message in (message for message in wanted if there.get(message, ("", 0, False))[0]):
            errors += [f"{path}:{there[message][1]}: {what}" for what in check_words(message, there[message][0], terms)]
            if name in PAGES and wanted[message] <= length_of(name):  # further down the navigation has its titles
                said.append((f"{path}:{there[message][1]}", there[message][0]))
        if name in OUTSIDE:
            made = made_outside(source_of(name), lambda message: there.get(message, ("",))[0])
            other = other_name(source_of(name))
            with open(other, encoding="utf-8") if os.path.exists(other) else open(os.devnull) as file:
                if file.read() != made:
                    errors.append(f"{other}: not what {source_of(name)} and {path} make (make translation)")
    return errors + check_first_uses(said, terms)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def update():
    for name, wanted in fresh().items():
        path, template = f"{CATALOGUES}/{name}.po", f"{FRESH}/{name}.fresh.pot"
        with open(template, "w", encoding="utf-8") as file:
            file.write('msgid ""\nmsgstr ""\n' + quoted(f"Language: {LANGUAGE}\\n").replace("\\\\n", "\\n") + "\n")
            file.write('"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n')
            for message in wanted:
                file.write(f'\nmsgid {quoted(message)}\nmsgstr ""\n')
        if os.path.exists(path):
            merge = ["msgmerge", "-q", "--update", "--backup=off", "--no-wrap", "--no-fuzzy-matching", path, template]
            subprocess.run(merge, check=True)
            subprocess.run(["msgattrib", "--no-obsolete", "--no-wrap", "-o", path, path], check=True)
        else:
            os.replace(template, path)
        if name in OUTSIDE:
            there = read_catalogue(path)
            with open(other_name(source_of(name)), "w", encoding="utf-8") as file:
                file.write(made_outside(source_of(name), lambda message: there.get(message, ("",))[0]))


def main():
    if sys.argv[1:] == ["--update"]:
        update()
        return
    errors = check()
    for error in errors:
        print(error)
    print(f"{LANGUAGE}: {len(PAGES)} pages of the site and {len(OUTSIDE)} beside it: " + (f"{len(errors)} places are wrong" if errors else "whole"))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
