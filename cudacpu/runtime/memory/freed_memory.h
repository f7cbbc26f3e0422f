/* freed_memory.h - where memory was allocated and where it was freed, for the sentence about a call
 * that is given it afterwards. */
#ifndef CUDACPU_RUNTIME_FREED_MEMORY_H
#define CUDACPU_RUNTIME_FREED_MEMORY_H
#include <string>

namespace cudacpu {

/* Calls that lead to a place, the innermost first: a program's may be in a helper, and that in a
 * destructor. */
struct call_path {
    enum { MOST = 16 };
    void *frames[MOST];
    int count;
};
call_path find_call_path();
/* The first of them in the program's own source; "" if none is. */
std::string place_of(const call_path &calls);

/* True, and says so on stderr, where the function was given memory that was freed: a failed copy is
 * often met only where the program next asks for an error. */
bool warn_of_freed(const void *pointer, const char *function);

} // namespace cudacpu
#endif
