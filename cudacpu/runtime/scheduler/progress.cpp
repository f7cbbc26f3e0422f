/* progress.cpp - an OS thread that looks at the launch, so that one block that takes long is told
 * too. There is none where stderr is no terminal. */
#include "progress.h"
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace cudacpu {
namespace {

typedef std::chrono::steady_clock watch_clock;
const std::chrono::seconds PATIENCE(5), INTERVAL(2);

struct watched_launch {
    std::mutex lock;
    std::condition_variable begins;
    const launch_state *now = nullptr; /* NULL: there is none, or it is another thread's */
    watch_clock::time_point next;      /* when a line is due */
    bool is_shown = false;
    pid_t process = 0; /* that the OS thread is in */
};
watched_launch &watched = *new watched_launch();

void show(const launch_state *l) {
    const unsigned long long size = (unsigned long long)l->cluster.x * l->cluster.y * l->cluster.z,
                             begun = std::min<unsigned long long>(l->next, l->clusters),
                             done = begun - std::min<unsigned long long>(begun, l->active);
    fprintf(stderr, "\rcudacpu: kernel %s: %llu of %llu blocks are done", l->what->name,
            done * size, (unsigned long long)l->clusters * size);
    fflush(stderr);
}

void watch_launches() {
    std::unique_lock<std::mutex> guard(watched.lock);
    for (;;) {
        if (!watched.now) {
            watched.begins.wait(guard);
        } else if (watched.begins.wait_until(guard, watched.next) == std::cv_status::timeout &&
                   watched.now && watch_clock::now() >= watched.next) {
            show(watched.now);
            watched.is_shown = true;
            watched.next = watch_clock::now() + INTERVAL;
        }
    }
}

bool begin(const launch_state *l) {
    static const bool is_terminal = isatty(2);
    if (!is_terminal)
        return false;
    std::lock_guard<std::mutex> guard(watched.lock);
    if (watched.now)
        return false;
    if (watched.process != getpid()) { /* after a fork the thread is gone */
        try {
            std::thread(watch_launches).detach();
        } catch (...) {
            return false;
        }
        watched.process = getpid();
    }
    watched.now = l;
    watched.next = watch_clock::now() + PATIENCE;
    watched.begins.notify_one();
    return true;
}

} // namespace

progress_line::progress_line(const launch_state *l) : is_watched(begin(l)) {}
progress_line::~progress_line() {
    if (!is_watched)
        return;
    std::lock_guard<std::mutex> guard(watched.lock);
    if (watched.is_shown)
        fprintf(stderr, "\r\033[K");
    watched.is_shown = false;
    watched.now = nullptr;
}

} // namespace cudacpu
