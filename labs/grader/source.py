"""source.py - reads what was handed in: constructs for a person to look at, and those for which a
file is refused, since they reach for the grader's own parts.

A flag costs no points: many programs have good reasons. The refused ones have none in a lab: names
of cudacpu's inside and of the observer's calls, machine code, functions that open closed memory, and
a text that is another one where it is observed.
"""
import re

PLAIN_HEADERS = set("""cuda_runtime.h cuda_runtime_api.h device_launch_parameters.h cuda_check.h lab.h
matmult.h timing.h lab4.h assert.h ctype.h errno.h float.h inttypes.h limits.h math.h stdbool.h
stddef.h stdint.h stdio.h stdlib.h string.h algorithm array cassert cfloat climits cmath cstddef
cstdint cstdio cstdlib cstring functional iomanip iostream limits memory numeric sstream string tuple
type_traits utility vector stdexcept exception charconv cctype cerrno iterator map optional set span string_view
cooperative_groups.h cooperative_groups/reduce.h cuda_bf16.h cuda_fp16.h mma.h cuda_pipeline.h vector_types.h""".split())

# Flags have the names of functions that are called, of types and macros, and of attributes.
FLAGS = [
    ("runs after the end", r"atexit|at_quick_exit|on_exit"),
    ("ends the process", r"_exit|_Exit|quick_exit"),
    ("machine code or PTX", r"asm|__asm__|__asm"),
    ("threads", r"pthread_\w+|std::(?:thread|jthread|async)|thrd_create|omp_\w+|clone3?"),
    ("processes", r"fork|vfork|posix_spawnp?|system|popen|exec[lv]p?e?|daemon|setsid|kill|killpg"),
    ("files", r"open|openat|openat64|open64|creat|fopen|fopen64|freopen|fdopen|ifstream|ofstream|"
              r"fstream|opendir|nftw|ftw|glob|unlink|rename|symlink|link|chmod|mkfifo|mknod|readlink"),
    ("descriptors", r"write|pwrite|writev|read|pread|ftruncate|dup|dup2|dup3|close|fcntl|ioctl|"
                    r"sendfile|splice|tee|lseek"),
    ("network", r"socket|connect|bind|listen|accept|sendto|sendmsg|recvmsg|getaddrinfo"),
    ("memory outside of the heap", r"memfd_create|mmap|mmap64|shmget|shm_open|shmat|mlock|mlockall"),
    ("signals", r"signal|sigaction|sigprocmask|sigaltstack|raise|setitimer|alarm|timer_create"),
    ("limits and priorities", r"setrlimit|prlimit|setpriority|nice|sched_setscheduler|"
                              r"sched_setaffinity|prctl|personality|unshare"),
    ("sleeps", r"sleep|usleep|nanosleep|clock_nanosleep|sleep_for|sleep_until|pause|sched_yield"),
    ("the environment", r"getenv|setenv|putenv|environ|secure_getenv|program_invocation_\w+"),
    ("tells where it runs", r"__SANITIZE_\w+__|__CUDACPU__|CUDACPU_\w+|INSPECT|__CUDA_ARCH__|"
                            r"__NVCC__|__CUDACC__|__OPTIMIZE__|__OPENCL_\w+|__AVX\w*__"),
    ("replaces a library's function", r"malloc_usable_size|__libc_\w+|__cxa_\w+|LD_PRELOAD"),
]
MEMORABLE = {"threads", "tells where it runs", "machine code or PTX", "the environment"}  # uncalled
ATTRIBUTES = [
    ("runs before main", r"_*(?:constructor|init_priority)_*"),
    ("runs after the end", r"_*destructor_*"),
    ("optimisation of its own", r"_*(?:optimize|target|target_clones|noipa)_*"),
    ("weak", r"_*weak_*"),
]
REFUSED = [
    ("a name of the grader's", r"\w*cudacpu\w*|__tsan_\w*|__sanitizer_\w*|__asan_\w*|__real_\w+|"
                               r"__wrap_\w+|tell_inspect|lab_call|student_main|open_disguise|"
                               r"close_disguise|words_carried|words_peeked|check_heap|bytes_spilled|"
                               r"lab_(?:cuda_\w+|told_\w+|program_ran|malloc|calloc|realloc|free|delete\w*|aligned_alloc|posix_memalign)|is_callers|let_launches_fail|"
                               r"delay_calls|stretch_events|handles_alive|watch_gap|change_gap|open_gap|close_gap|is_in_gap|words_put_back|bytes_kept_of_freed|watch_freed|"
                               r"opencl_multiply|opencl_as_cuda|__executable_start"),
    ("OpenCL's host functions are the grader's to call", r"cl(?:Create|Enqueue|Build|Compile|Link|Get|"
                               r"Set|Release|Retain|Finish|Flush|Wait)[A-Z]\w*|clFinish|clFlush"),
    ("the descriptors that are open are the grader's", r"_fileno|fileno_unlocked"),
    ("opens closed memory", r"mprotect|pkey_mprotect|mremap|remap_file_pages|process_vm_readv|"
                            r"process_vm_writev|ptrace|userfaultfd"),
    ("calls around the libraries", r"syscall|dlsym|dlvsym|dlopen|dlmopen|dlinfo|dl_iterate_phdr|"
                                   r"_r_debug|_dl_\w+"),
    ("hides code from the observer", r"_*no_sanitize\w*|__builtin_constant_p"),
]
REFUSED_ATTRIBUTES = r"_*(?:ifunc|weakref|alias|naked|section|symver)_*"
OF_MACROS = re.compile(r"::\s*cudacpu\s*::\s*(?:here|barrier|wait_at|site)\b|\bcudacpu_here\b")
TOKEN = re.compile(r"""
    (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*")
  | (?P<char>(?:u8|[uUL])?'(?:\\.|[^'\\\n])*')
  | (?P<comment>/\*.*?(?:\*/|\Z)|//[^\n]*)
  | (?P<name>[A-Za-z_$\u0080-\U0010ffff][\w$\u0080-\U0010ffff]*)
  | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<line>\n)
  | (?P<other>[^\s])""", re.X | re.S)


def tokens(text):
    """(kind, text, line) of a source; lines that a backslash joins are one."""
    text = text.replace("\r\n", "\n").replace("??=", "#").replace("??/\n", "\\\n")
    line, joined = 1, 0
    text = re.sub(r"\\[ \t]*\n", "\x01", text)  # a mark that counts as a line
    for match in TOKEN.finditer(text.replace("\x01", "\x01")):
        kind, word = match.lastgroup, match[0]
        if kind == "mark":
            kind = "raw"
        if kind != "other" or word != "\x01":
            yield kind, word.replace("\x01", ""), line
        line += word.count("\n") + word.count("\x01")


def directives(text):
    """(its first word, the rest, line) of each preprocessor's line."""
    fresh, collected, at = True, None, 0
    for kind, word, line in tokens(text + "\n"):
        if kind == "line":
            if collected:
                yield collected[0], collected[1:], at
            fresh, collected = True, None
        elif kind != "comment":
            if fresh and word in ("#", "%"):
                collected, at = [], line
            elif collected is not None and not (word == ":" and not collected):
                collected.append(word)
            fresh = False


def without_line_directives(text):
    """The text whose lines and files no directive renames, and where it has tried."""
    lines, tried = text.split("\n"), []
    for name, rest, at in directives(text):
        if name == "line" or name.isdigit():
            tried.append(at)
            end = at
            while end < len(lines) and lines[end - 1].rstrip().endswith("\\"):
                end += 1
            for number in range(at, end + 1):
                lines[number - 1] = ""
    return "\n".join(lines), tried


def names(words):
    """(name, line, how it stands there) of tokens: "called", in an "attribute", or "". Names of std
    begin with std::."""
    depth = 0  # of the parentheses, or brackets, of an attribute
    for i, (kind, word, line) in enumerate(words):
        following = words[i + 1][1] if i + 1 < len(words) else ""
        if depth:
            depth += (word in "([") - (word in ")]")
        elif re.fullmatch("__attribute__|__attribute|__declspec", word):
            if i + 1 < len(words) and words[i + 1][1] == "(":
                depth = 1
                words[i + 1] = ("other", "", words[i + 1][2])
        elif word == "[" and following == "[":
            depth = 1
        if kind == "name":
            if [w[1] for w in words[max(0, i - 3):i]] == ["std", ":", ":"]:
                word = "std::" + word
            yield word, line, "attribute" if depth else "called" if following == "(" else ""


def flags_of(name, text):
    """Constructs that a reader should look at: ["student.cu:3: threads (pthread_create)"]."""
    found, included = {}, set()
    for word, rest, line in directives(text):
        if word in ("include", "include_next", "import", "embed"):
            included.add(line)
            header = "".join(rest).strip('<>"')
            if header not in PLAIN_HEADERS:
                found.setdefault(("includes", header), line)
        elif word == "pragma" and rest[:1] not in (["unroll"], ["once"]):
            found.setdefault(("pragma", " ".join(rest)[:60]), line)
        elif word == "line" or word.isdigit():
            found.setdefault(("names other files in messages", "#line"), line)
    words = [t for t in tokens(text) if t[0] not in ("comment", "line") and t[2] not in included]
    for kind, word, line in words:
        if kind in ("string", "raw") and re.search(r"/proc|/dev/|/sys/|/etc/", word):
            found.setdefault(("a path of the system", word[:60]), line)
    for word, line, how in names(words):
        for what, pattern in ATTRIBUTES if how == "attribute" else FLAGS:
            if re.fullmatch(pattern, word) and (how or what in MEMORABLE or "stream" in word):
                found.setdefault((what, word), line)
    return [f"{name}:{line}: {what} ({detail})"
            for (what, detail), line in sorted(found.items(), key=lambda item: item[1])]


# What has another type or size in OpenCL C than in C++.
OTHER_IN_CPP = re.compile(r"_*typeof_*|decltype|auto|__auto_type|_Generic|__builtin_\w+|_*overloadable_*|"
                          r"(?:u?(?:char|short|int|long)|float|double)3")
SIMPLE = re.compile(r"[][*.()]|[A-Za-z_]\w*|\d+[uU]?")  # whose size is the same in both


def other_in_cpp(text):
    """(a word, its line) of what tells OpenCL C from C++, in which the file is observed; or None."""
    words = [token for token in tokens(text) if token[0] not in ("comment", "line")]
    for i, (kind, word, line) in enumerate(words):
        if kind == "name" and OTHER_IN_CPP.fullmatch(word):
            return word, line
        if word != "sizeof":
            continue
        depth = 0
        for _, inside, _ in words[i + 1:i + 40]:
            depth += (inside == "(") - (inside == ")")
            if not SIMPLE.fullmatch(inside) and (depth > 0 or inside in "!'") or inside[:1] == "'" or \
                    inside in ("true", "false"):
                return f"sizeof ({inside})", line
            if depth <= 0:
                break
    return None


def refusal_of_opencl(name, text):
    """student.cl is read by an OpenCL compiler, and as CUDA to be observed: its conditions may ask for
    TS and for what it defines itself."""
    other = other_in_cpp(text)
    if other:
        return (f"refused: {name}:{other[1]}: {other[0]} may tell the compiler that runs it from the one that "
                "observes it")
    known = {"TS", "defined"}
    for word, rest, line in directives(text):
        if word == "define" and rest:
            known.add(rest[0])
        elif word in ("include", "include_next", "import", "embed"):
            return f"refused: {name}:{line}: a kernel is one file: it includes nothing"
        elif word in ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef"):
            asked = [w for w in rest if re.match(r"[A-Za-z_$]", w) and w not in known]
            if asked:
                return (f"refused: {name}:{line}: it asks for {asked[0]}, which may tell the compiler "
                        "that runs it from the one that observes it")
    return None


MARK = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)$')


def own_part(text):
    """Of a preprocessor's output the lines of the main file: [(line, text)]. Only the preprocessor
    can say that a file begins (1) or ends (2): what the source says of lines has been taken out."""
    depth, line, own, begun = 0, 1, [], False
    for row in text.split("\n"):
        mark = row.startswith("# ") and MARK.match(row)
        if not mark:
            if begun and depth == 0 and row.strip():
                own.append((line, row))
            line += 1
            continue
        depth += (" 1" in mark[3]) - (" 2" in mark[3])
        line = int(mark[1])
        begun = begun or (depth == 0 and not mark[2].startswith("<") and " 2" in mark[3]) or \
            (depth == 0 and mark[2].endswith((".cu", ".cl")))
    return own


def included(text, files):
    """A file of the submission, or one beside it, that the source includes; or None. Its lines would
    be read by the compiler, and not here."""
    for name in re.findall(r'^# \d+ "((?:[^"\\]|\\.)*)"[ \d]* 1\b', text, re.M):
        if not name.startswith("/") or name.rsplit("/", 1)[-1] in files:
            return name
    return None


def scopes(words):
    """(token, whether it stands outside of all functions), by the braces that open no namespace."""
    stack, before = [], []
    for token in words:
        word = token[1]
        if word == "{":
            namespace = bool(before) and (
                "namespace" in before[-4:] or (before[-1][:1] == '"' and "extern" in before[-2:]))
            stack.append(namespace)
        elif word == "}" and stack:
            stack.pop()
        yield token, all(stack)
        before = before[-4:] + [word]


def without_headers_words(rows):
    """What cudacpu's own macros have put into a source, such as __syncthreads, is taken out."""
    return [(line, OF_MACROS.sub("own", row)) for line, row in rows]


PTX = re.compile(r"\.(?:[usbf](?:32|64)|[bf]16|reg|pred|sync|shared|global)|"
                 r"(?:^|[;{}])\s*(?!b\.)(?:[a-z]\w*\.[\w.:]*\w|ret|exit|trap|brkpt)(?=\s|;)[^;]*;")


def machine_code(words):
    """The line of the first asm statement that is no PTX, which cudacpu makes C++ of; or None."""
    for i, (_, word, line) in enumerate(words):
        if word not in ("asm", "__asm__", "__asm"):
            continue
        code = ""
        for kind, text, _ in words[i + 1:]:
            if kind in ("string", "raw"):
                code += text[text.index('"') + 1:-1].replace("\\n", "\n").replace("\\t", " ")
            elif text in (":", ")", ";"):
                break
        if code.strip() and not PTX.search(code):
            return line
    return None


def refusal(name, observed, plain, files=()):
    """Why a file is not graded, or None: of its text as the preprocessor gave it for both builds.
    files: the submission's."""
    other = included(observed, files) or included(plain, files)
    if other:
        return f"refused: {name}: it includes {other}: a submission's source is one file"
    observed = without_headers_words(own_part(observed))
    plain = without_headers_words(own_part(plain))
    text = "\n".join(row for _, row in observed)
    words = [(kind, word, observed[min(at, len(observed)) - 1][0])
             for kind, word, at in tokens(text) if kind not in ("comment", "line")]
    for (_, word, line), outside in scopes(words):
        if outside and word in ("asm", "__asm__", "__asm"):
            return f"refused: {name}:{line}: {word} outside of a function: machine code"
    at = machine_code(words)
    if at:
        return f"refused: {name}:{at}: machine code of a CPU, which no kernel runs: PTX is for kernels"
    for word, line, how in names(words):
        for what, pattern in REFUSED:
            if re.fullmatch(pattern, word):
                return f"refused: {name}:{line}: {word}: {what}"
        if how == "attribute" and re.fullmatch(REFUSED_ATTRIBUTES, word):
            return f"refused: {name}:{line}: the attribute {word}: hides code from the observer"
    if [row for _, row in observed] != [row for _, row in plain]:
        line = next((a[0] for a, b in zip(observed, plain) if a[1] != b[1]), 0)
        return (f"refused: {name}:{line}: the program that is observed is another one than the one "
                "that computes the results: it asks for what tells them apart")
    return None
