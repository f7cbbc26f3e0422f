/* machine.h - what this machine has for cudacpu, processors and memory, and the settings that the
 * environment gives as numbers. */
#ifndef CUDACPU_RUNTIME_MACHINE_H
#define CUDACPU_RUNTIME_MACHINE_H
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace cudacpu {

/* The number in this variable, otherwise where it is empty or not set. One that is not from least
 * to most, in digits, ends the program with a sentence and status 2. */
uint64_t read_setting(const char *name, uint64_t otherwise, uint64_t least, uint64_t most);
/* Which of the words the variable is, in the same way. */
unsigned read_word_setting(const char *name, std::initializer_list<const char *> words,
                           unsigned otherwise = 0);
/* That sentence: name is 'value'; it must be ... */
[[noreturn]] void refuse_setting(const char *name, const char *value, const char *wanted);

/* The number after key at the beginning of a line of the file. */
uint64_t read_number(const char *path, const char *key, uint64_t otherwise);

uint64_t nanoseconds_now();       /* since some moment; never goes back */
uint64_t processor_nanoseconds(); /* that this process has had, of all its OS threads */
int processors();                 /* that this process may use */
size_t page_bytes();
size_t total_memory(); /* bytes, within the control group's limit */
size_t free_memory();  /* bytes that this process can still get */

} // namespace cudacpu
#endif
