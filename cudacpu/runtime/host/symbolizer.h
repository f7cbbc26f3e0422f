/* symbolizer.h - the symbolizer: file and line of an address in the program's code, by addr2line,
 * and of the calls that lead to a place. */
#ifndef CUDACPU_RUNTIME_SYMBOLIZER_H
#define CUDACPU_RUNTIME_SYMBOLIZER_H
#include "cudacpu/site.h"
#include <string>
#include <sys/types.h>
#include <vector>

namespace cudacpu {

/* Whether a source is one of cudacpu's headers, its runtime or inspect; their tests are programs.
 */
bool is_own_source(const char *path);

/* An addr2line for as long as it exists; all answers are "" where it did not start. */
class addr2line {
    pid_t child = -1;
    int connection;

  public:
    addr2line();
    ~addr2line();
    addr2line(const addr2line &) = delete;
    /* All places of an address, "file:line", in the program's own source, without cudacpu's and the
     * C++ library's: the innermost function that was inlined there, then its callers. */
    std::vector<std::string> ask_all(void *pc, bool is_return_address) const;
    /* The first of them, or "". */
    std::string ask(void *pc, bool is_return_address) const;
};

/* The same for one address; and for the innermost of the calls that lead to pc that has a place. */
std::string find_place(void *pc);
std::string find_innermost_place(void *pc);

/* Of return addresses, the innermost first, that lead to where in a kernel launched at launch: the
 * place of the call of the function that where is in; "" if that is the kernel, or not known. */
std::string find_call(void *const *frames, int count, const site &where, const site &launch);

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
std::string place_of(void *const *frames, int count);

} // namespace cudacpu
#endif
