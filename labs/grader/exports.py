"""exports.py - a folder of submissions as learning platforms export it: what in it is whose, and since when."""
import datetime
import os
import re
import shutil
import zipfile

from refused import Refused

# What systems and platforms leave behind; of each attempt Blackboard writes a text beside the files.
METADATA = "submission_metadata.yml"  # Gradescope's
NOBODYS = {".DS_Store", "__MACOSX", ".git", "Thumbs.db", "desktop.ini", METADATA}
OF_AN_ATTEMPT = re.compile(r".*_attempt_\d{4}(-\d\d){5}\.txt")
# Name, LATE or nothing, the student's number, the file's number, the file's name, and which attempt it is.
OF_CANVAS = re.compile(r"(.+?)(_LATE)?_(\d+)_(\d+)_(.+?)(-\d+)?(\.\w+)?", re.S)
LATE = "late, as Canvas has it in the file's name"
LARGEST = 64 << 20  # bytes of Gradescope's list, and of a file that is copied


def says_late(name):
    known = OF_CANVAS.fullmatch(name)
    return known is not None and known[2] is not None


def gathered(named, into):
    """The same, with one folder below `into` for the files that Canvas has of one student: {name: path}."""
    shutil.rmtree(into, ignore_errors=True)
    students, rest = {}, dict(named)
    for name, path in named.items():
        known = OF_CANVAS.fullmatch(os.path.basename(path))
        if known and os.path.isfile(path) and not os.path.islink(path):
            students.setdefault((known[1], known[3]), {})[known[4]] = (name, path, known)
    for number, ((who, student), files) in enumerate(students.items()):
        if len(files) < 2:  # of different numbers: others number files in their own way
            continue
        late = "_LATE" * any(known[2] is not None for _, _, known in files.values())
        folder = os.path.join(into, f"{who[:200]}{late}_{student}_{number}_files")
        for name, path, known in sorted(files.values(), key=lambda file: int(file[2][4])):
            os.makedirs(folder, exist_ok=True)
            if os.path.getsize(path) <= LARGEST:  # of several attempts the last
                shutil.copy2(path, os.path.join(folder, known[5] + (known[7] or "")))
            del rest[name]
        rest[f"{who}{late}_{student}"] = folder
    return rest


def unquoted(text):
    """What YAML means by a word on one line."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def of_gradescope(folder):
    """{entry: (the names of who hands it in, seconds since 1970 or None)} of Gradescope's list; nothing where
    there is none."""
    path, found, entry = os.path.join(folder, METADATA), {}, None
    if not os.path.isfile(path) or os.path.islink(path):
        return found
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read(LARGEST).splitlines()
    for line in lines:
        begins = re.fullmatch(r"(\w\S*):\s*", line)
        name = re.fullmatch(r"  (?:- |  ):name: (.*)", line)
        at = re.fullmatch(r"  :created_at: ['\"]?(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)\S* ?(Z|UTC|[+-]\d\d:?\d\d)?['\"]?", line)
        if begins:
            entry = begins[1]
            found[entry] = ([], None)
        elif entry and name and unquoted(name[1]):
            found[entry][0].append(unquoted(name[1]))
        elif entry and at:
            zone = "+0000" if at[2] in (None, "Z", "UTC") else at[2]
            try:
                time = datetime.datetime.strptime(at[1].replace("T", " ") + zone, "%Y-%m-%d %H:%M:%S%z").timestamp()
                found[entry] = (found[entry][0], time)
            except ValueError:
                pass  # a day that is none
    return found


def entries(folder, files):
    """{name: path} of what was handed in; the name is the entry's, without an archive's ending, or as Gradescope's
    list has it. files: those of the lab."""
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise Refused(f"SUBMISSIONS={folder}: is no folder; one with an entry for each student was expected"
                      + "; unpack it first" * (os.path.isfile(folder) and zipfile.is_zipfile(folder)))
    try:
        found = sorted(os.listdir(folder))
    except OSError as error:
        raise Refused(f"SUBMISSIONS={folder}: {error.strerror}")
    own = next((file for file in files if file in found), None)
    if own:
        raise Refused(f"SUBMISSIONS={folder}: {own} is there itself; a folder with an entry for each student "
                      "was expected")
    named, known = {}, of_gradescope(folder)
    for entry in found:
        if entry in NOBODYS or entry.startswith("._") or OF_AN_ATTEMPT.fullmatch(entry):
            continue
        name = re.sub(r"(?<=.)\.(zip|tar|tar\.gz|tgz|cu)$", "", entry)
        who, _ = known.get(entry) or known.get(name) or ([], None)
        name = f"{', '.join(who)} ({name})" if who else name
        named[entry if name in named else name] = os.path.join(folder, entry)
    if not named:
        raise Refused(f"SUBMISSIONS={folder}: nothing was handed in there")
    return named


def files_in(path):
    for folder, _, files in os.walk(path):
        yield from (os.path.join(folder, file) for file in files)


def handed_in_at(path, known=None):
    """When it was handed in by Gradescope's list, else when the newest file of it was written, as far as the
    export tells."""
    entry = os.path.basename(path)
    _, at = (known or {}).get(entry) or ([], None)
    if at is not None:
        return at
    if os.path.isfile(path) and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            times = [m.date_time for m in archive.infolist() if not m.is_dir()]
        try:
            if times and max(times)[0] > 1980:
                return datetime.datetime(*max(times)).timestamp()
        except ValueError:
            pass  # a day that is none
    inside = list(files_in(path)) if os.path.isdir(path) else [path]
    return max((os.lstat(file).st_mtime for file in inside), default=os.lstat(path).st_mtime)
