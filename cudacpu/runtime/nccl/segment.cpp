/* segment.cpp - memory that processes share, by files without names: nothing is left of them
 * when the processes end, however they end. */
#include "segment.h"
#include "runtime/host/process.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cudacpu {
namespace {

/* An id's bytes. */
struct id_text {
    char magic[16];
    uint64_t secret;
    pid_t process;
    int file;
};
const char MAGIC[16] = "cudacpu nccl";

std::mutex one;
/* By process, since after a fork a segment is mapped anew, and secret. */
std::map<std::pair<pid_t, uint64_t>, nccl_segment *> segments;

void *map_file(int file, size_t bytes, bool write) {
    void *map =
        mmap(nullptr, bytes, write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0);
    return map == MAP_FAILED ? nullptr : map;
}

/* Never a standard one, which the program may have closed: what it prints would go there. */
int make_file(size_t bytes) {
    int file = memfd_create("cudacpu-nccl", MFD_CLOEXEC);
    if (file >= 0 && file <= STDERR_FILENO) {
        const int low = file;
        file = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(low);
    }
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

/* A file that another process has opened; NULL: it cannot be had. */
void *map_file_of(pid_t process, int file, size_t bytes, bool write) {
    const std::string path = text("/proc/", process, "/fd/", file);
    const int own = open(path.c_str(), (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (own < 0)
        return nullptr;
    void *const map = map_file(own, bytes, write);
    close(own);
    return map;
}

} // namespace

uint64_t program_bytes() {
    struct stat program;
    return stat("/proc/self/exe", &program) == 0 ? (uint64_t)program.st_size : 0;
}

bool make_id(ncclUniqueId *id) {
    id_text text = {};
    memcpy(text.magic, MAGIC, sizeof MAGIC);
    if (getrandom(&text.secret, sizeof text.secret, 0) != (ssize_t)sizeof text.secret)
        return false;
    text.process = getpid();
    text.file = make_file(sizeof(nccl_segment));
    void *map = text.file < 0 ? nullptr : map_file(text.file, sizeof(nccl_segment), true);
    if (!map)
        return false;
    nccl_segment *segment = static_cast<nccl_segment *>(map); /* zeros are right */
    segment->secret = text.secret;
    segment->program = program_bytes();
    std::lock_guard<std::mutex> guard(one);
    segments[{getpid(), text.secret}] = segment;
    memset(id, 0, sizeof *id);
    memcpy(id, &text, sizeof text);
    return true;
}

nccl_segment *find_segment(const ncclUniqueId &id, std::string *why) {
    id_text text;
    memcpy(&text, &id, sizeof text);
    if (memcmp(text.magic, MAGIC, sizeof MAGIC) != 0) {
        *why = "the id is none that ncclGetUniqueId made: was it sent to this rank?";
        return nullptr;
    }
    std::lock_guard<std::mutex> guard(one);
    nccl_segment *&known = segments[{getpid(), text.secret}];
    if (known)
        return known;
    nccl_segment *segment = static_cast<nccl_segment *>(
        map_file_of(text.process, text.file, sizeof(nccl_segment), true));
    if (!segment || segment->secret != text.secret) {
        *why = "the memory of process " + std::to_string(text.process) +
               ", which made the id, cannot be opened: it must still run, on this machine, for the "
               "same user";
        return nullptr;
    }
    return known = segment;
}

char *make_data(shared_call *c, bool for_processes) {
    c->file = -1;
    c->data = nullptr;
    if (!c->bytes)
        return nullptr;
    char *data = nullptr;
    if (!for_processes) {
        data = new char[c->bytes];
    } else if ((c->file = make_file(c->bytes)) >= 0) {
        data = static_cast<char *>(map_file(c->file, c->bytes, true));
    }
    if (!data) /* exit() would wait for what this thread holds */
        end_with("no memory for ", c->bytes, " bytes between processes (", strerror(errno), ")");
    c->data = data;
    return data;
}

void forget_data(shared_call *c) {
    if (!c->data)
        return;
    if (c->file < 0) {
        delete[] c->data;
    } else {
        munmap(const_cast<char *>(c->data), c->bytes);
        close(c->file);
    }
    c->data = nullptr;
}

std::shared_ptr<const char> read_data(const shared_call &c, pid_t process) {
    if (process == getpid())
        return {c.data, [](const char *) {}};
    void *const map = c.bytes ? map_file_of(process, c.file, c.bytes, false) : nullptr;
    if (!map)
        return nullptr;
    return {static_cast<char *>(map), [map, bytes = c.bytes](const char *) { munmap(map, bytes); }};
}

} // namespace cudacpu
