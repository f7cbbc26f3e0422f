"""symbols.py - what a submission's object file asks of the libraries, and what it may give to others.

The source can hide a name from who reads it; the linker's table cannot. A file that asks for what a
lab has no use for is refused, with the reason. Of what it defines only the functions that the lab
calls stay visible: no other part of the program can be given a student's open() or mmap().
"""
import os
import re
import subprocess

# The student's heap: heap.c
HEAP = {"malloc": "lab_malloc", "calloc": "lab_calloc", "realloc": "lab_realloc", "free": "lab_free",
        "aligned_alloc": "lab_aligned_alloc", "posix_memalign": "lab_posix_memalign",
        "_ZdlPv": "lab_delete", "_ZdlPvm": "lab_delete_sized", "_ZdaPv": "lab_delete_array",
        "_ZdaPvm": "lab_delete_array_sized", "_Znam": "lab_new_array", "_ZnamRKSt9nothrow_t": "lab_new_array_or_null"}
CALLS = {"cudaMalloc": "lab_cuda_malloc", "cudaFree": "lab_cuda_free",  # disguise.c
         "cudaEventElapsedTime": "lab_cuda_event_elapsed_time"}
WANTED, UNDEFINED = "wanted", "undefined.txt"  # files of names, a line each
BESIDE = "host code that runs beside a kernel could compute in its place"
CHANNELS = "the descriptors that are open are the grader's"
MEMORY = "what is mapped, and how it is closed, is the grader's"
REFUSED = [
    (BESIDE, r"pthread_(?:create|kill|cancel|atfork)|thrd_create|clone3?|_ZNSt6thread\w*start\w*|"
             r"GOMP_\w+|__kmpc_\w+|r?vfork|_*fork|_?Fork|posix_spawnp?|system|popen|exec[lv]p?e?|"
             r"fexecve|daemon|_ZNSt13__future_base\w*|timer_create|aio_\w+|lio_listio\w*"),
    (BESIDE, r"_*sigaction|_*signal|[bs]sd_signal|sysv_signal|sigset|setitimer|alarm|ualarm|"
             r"sigaltstack|ssignal|sigvec|makecontext|swapcontext|setcontext"),
    (CHANNELS, r"_*(?:read|write|pread|pwrite)(?:64)?(?:_chk|v|v2|v64|v64v2)?|_*(?:recv|send)\w*|"
               r"socket\w*|connect|bind|listen|accept4?|getsockopt|setsockopt|shutdown|_*dup[23]?|"
               r"_*close|close_range|closefrom|_*fcntl(?:64)?|ioctl|f?truncate(?:64)?|sendfile(?:64)?|"
               r"copy_file_range|v?msplice|splice|tee|_*v?dprintf(?:_chk)?|fdopen|_IO_fdopen|"
               r"_ZN9__gnu_cxx\w*filebuf\w*|lseek(?:64)?|_*open(?:at)?(?:64)?(?:_2)?|creat(?:64)?|"
               r"pidfd_\w+|eventfd\w*|inotify\w*|epoll\w*|flock|lockf\w*|posix_fallocate\w*"),
    (MEMORY, r"_*(?:mmap|munmap|mprotect|mremap|madvise)(?:64)?|posix_madvise|pkey_\w+|shm\w+|"
             r"memfd_\w+|remap_file_pages|mincore|process_\w+|ptrace|userfaultfd|s?brk"),
    ("it calls around the libraries", r"syscall|dl(?:v?sym|m?open|info|addr1?|_iterate_phdr)|_dl_\w+|"
                                      r"_r_debug|prctl|arch_prctl|personality|seccomp|unshare|setns|"
                                      r"_*libc_\w*(?:alloc|free|enable|stack)\w*|_rtld_\w+|link_map"),
]


def refusal(text):
    """Why a file is not graded, or None. text: of nm -uP, its undefined symbols."""
    for name in sorted({line.split()[0] for line in text.splitlines() if line.strip()}):
        plain = name.split("@")[0]
        for why, pattern in REFUSED:
            if re.fullmatch(pattern, plain):
                known = "std::thread" if plain.startswith("_ZNSt6thread") else \
                "std::future or std::async" if plain.startswith("_ZNSt13__future_base") else plain
                return f"refused: it calls {known}: {why}"
    return None


def write_wanted(link, objects, path, environment):
    """Writes the names that our objects want of a student's: those that a link without it misses,
    and those that they can do without."""
    done = subprocess.run([*link, *objects, "-Wl,--no-demangle", "-o", os.path.dirname(path) + "/none"],
                          capture_output=True, text=True, env=environment)
    names = set(re.findall(r"undefined reference to [`'\"]?([\w.$]+)", done.stdout + done.stderr))
    weak = subprocess.run(["nm", "-uP", *objects], capture_output=True, text=True).stdout
    names |= {line.split()[0] for line in weak.splitlines() if line.split()[1:2] in (["w"], ["v"])}
    with open(path, "w") as file:
        file.writelines(f"{name}\n" for name in sorted(names | {"student_main"}))
