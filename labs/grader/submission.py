"""submission.py - what is handed in: files are picked by name; an archive is never unpacked."""
import os
import re
import tarfile
import zipfile

from refused import Ungradable

LARGEST = 1 << 20  # bytes of a file that is handed in
TAR = (".tar", ".tar.gz", ".tgz")
ARCHIVES = (".zip", ".tar.xz", ".txz", ".tar.bz2", ".tar.zst", ".7z", ".rar", ".gz", ".xz")


def beginning(path):
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


def members(path):
    """(name, size, read) of each regular file of a folder or an archive."""
    if os.path.isdir(path):
        count = 0
        for folder, below, names in os.walk(path):
            below[:] = sorted(below) if folder.count(os.sep) - path.count(os.sep) < 8 else []
            for name in sorted(names):
                count += 1
                if count > 10000:
                    raise Ungradable(f"SUBMISSION={path}: a folder has at most 10000 files")
                file = os.path.join(folder, name)
                if os.path.isfile(file) and not os.path.islink(file):
                    yield (os.path.relpath(file, path), os.path.getsize(file),
                           lambda file=file: beginning(file))
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for m in archive.infolist():
                if not m.is_dir() and (m.external_attr >> 28) in (0, 8):
                    yield m.filename.replace("\\", "/"), m.file_size, lambda m=m: archive.open(m).read(LARGEST + 1)
    elif path.endswith(TAR):
        with tarfile.open(path) as archive:
            for i, m in enumerate(archive):
                if i > 1000 or m.size > 64 * LARGEST:
                    raise Ungradable(f"SUBMISSION={path}: an archive has at most 1000 files "
                                  "of at most 64 MB")
                if m.isreg():
                    yield m.name, m.size, lambda m=m: archive.extractfile(m).read(LARGEST + 1)


def known_as(base, names):
    """Which of the names a file has: browsers write "student (1).cu", and some "Student.cu"."""
    plain = re.sub(r" ?\(\d+\)(?=\.\w+$)", "", base).lower()
    return next((name for name in names if name in (base.lower(), plain)), None)


def renamed(path, endings):
    """{ending: the bytes of the only file that has it}, where there is one: its name is another one."""
    found, count = {}, dict.fromkeys(endings, 0)
    for name, size, read in members(path):
        base, ending = os.path.basename(name), os.path.splitext(name)[1].lower()
        if ending not in endings or "__MACOSX" in name or base.startswith("._") or base == "call.cu":
            continue
        count[ending] += 1
        if count[ending] == 1:
            found[ending] = read() if size <= LARGEST else b"x" * (LARGEST + 1)
    return {ending: data for ending, data in found.items() if count[ending] == 1}


def find(path, names):
    """{name: its bytes} of the files with these names; of several in an archive the highest."""
    if os.path.isfile(path) and not zipfile.is_zipfile(path) and not path.endswith(TAR):
        if path.lower().endswith(ARCHIVES):
            raise Ungradable(f"SUBMISSION={path}: this archive cannot be read; .zip and .tar.gz can")
        if len(names) != 1:
            raise Ungradable(f"SUBMISSION={path}: this lab needs a folder or an archive with "
                             f"{', '.join(names)}")
        return {names[0]: beginning(path)}
    found, depths, places = {}, {}, {}
    for name, size, read in members(path):
        base, depth = known_as(os.path.basename(name), names), name.count("/")
        if not base or "__MACOSX" in name or depth > depths.get(base, depth):
            continue
        data = read() if size <= LARGEST else b"x" * (LARGEST + 1)
        if depth == depths.get(base) and data != found[base]:
            raise Ungradable(f"SUBMISSION={path}: there are two, {places[base]} and {name}: "
                             "which is it?")
        found[base], depths[base], places[base] = data, depth, name
    missing = {os.path.splitext(name)[1]: name for name in names if name not in found}
    endings = [ending for ending in (".cu", ".cl") if sum(name.endswith(ending) for name in names) == 1]
    if set(endings) & set(missing):
        alone = renamed(path, endings)
        found |= {missing[ending]: data for ending, data in alone.items() if ending in missing}
    return found


def collect(path, names, into):
    """Copies the files of these names into a folder; one that is missing is empty there."""
    if not os.path.exists(path):
        raise Ungradable(f"SUBMISSION={path}: there is no such file or folder")
    if not os.path.isfile(path) and not os.path.isdir(path):  # a pipe would never end
        raise Ungradable(f"SUBMISSION={path}: is neither a file nor a folder")
    try:
        found = find(path, names)
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError, RuntimeError,
            NotImplementedError, ValueError) as error:
        raise Ungradable(f"SUBMISSION={path}: cannot be read ({str(error).splitlines()[0]})")
    if not found:
        raise Ungradable(f"SUBMISSION={path}: there is no {' and no '.join(names)} in it")
    for name in names:
        data = found.get(name, b"")
        if len(data) > LARGEST:
            raise Ungradable(f"SUBMISSION={path}: {name} has more than {LARGEST} bytes")
        if b"\0" in data:
            kind = "UTF-16 text" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "not text"
            raise Ungradable(f"SUBMISSION={path}: {name} is {kind}: save it as UTF-8")
        with open(os.path.join(into, name), "wb") as file:
            file.write(data)
