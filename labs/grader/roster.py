"""roster.py - what the teacher says of a class: who is in it (ROSTER), and until when (DUE). Both are
checked before anything is graded."""
import csv
import datetime
import os
import re

from refused import Refused

DAY = r"\d{4}-\d\d-\d\d"
TIME = r"[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?"


def plain(text):
    """A name without what systems add between its words."""
    return re.sub(r"[\W_]+", " ", text).strip().casefold()


def due_of(text):
    """Seconds since 1970 of DUE, or None where none is given. A day alone means all of that day."""
    if not text:
        return None
    try:
        if re.fullmatch(DAY, text):
            return (datetime.datetime.fromisoformat(text) + datetime.timedelta(days=1)).timestamp()
        if re.fullmatch(DAY + TIME, text):
            return datetime.datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        pass  # a day that is none
    raise Refused(f"DUE={text}: a time such as 2026-11-30T23:59 was expected, or a day such as "
                  "2026-11-30, which means until its end")


def rows_of(path):
    """The lines of a roster, which commas part, or semicolons or tabs where its heading has these."""
    if not os.path.isfile(path):
        raise Refused(f"ROSTER={path}: " + ("is no file" if os.path.exists(path) else "there is no such file"))
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            heading = file.readline()
            file.seek(0)
            by = max(",;\t", key=heading.count)
            # strict: a quote that nothing closes would swallow all students below it
            return [row for row in csv.reader(file, delimiter=by, strict=True) if row and row[0].strip()]
    except csv.Error as error:
        raise Refused(f"ROSTER={path}: a quote is not closed, or stands inside of a name ({error})")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise Refused(f"ROSTER={path}: cannot be read: {reason}")


def read_roster(path, found):
    """[name] of a roster's first column, its heading left out. found: {name: path} of what was handed
    in."""
    if not path:
        return []
    rows = rows_of(path)
    names = [row[0].strip() for row in rows[1:]]
    if not names:
        raise Refused(f"ROSTER={path}: no name in it; a heading and a line for each student were expected")
    if plain(rows[0][0]) in map(plain, found):
        raise Refused(f"ROSTER={path}: its first line is a student, {rows[0][0].strip()}; a heading was expected")
    several = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if several:
        raise Refused(f"ROSTER={path}: {several} is in it more than once; the first column has names that differ")
    return names


def of_student(name, found):
    """The entry of a student of the roster: of this name, one that begins with it, or a group's with this name
    among others, as exports.py writes it."""
    same = [entry for entry in found if plain(entry) == plain(name)]
    begin = [entry for entry in found if plain(entry).startswith(plain(name) + " ")]
    group = [entry for entry in found if plain(name) in map(plain, entry.rsplit(" (", 1)[0].split(", "))]
    return (same or begin or group or [None])[0]
