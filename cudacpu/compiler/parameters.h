/* parameters.h - the names of parameters, of functions and of templates. */
#ifndef CUDACPU_COMPILER_PARAMETERS_H
#define CUDACPU_COMPILER_PARAMETERS_H
#include <string>
#include <vector>

struct parameter {
    std::string name;
    bool is_pack; /* T... x */
};

/* Of the list between tokens open and close; one that has no name is given one in the text. */
std::vector<parameter> name_parameters(size_t open, size_t close);

/* "a, b..." of what write makes of each name. */
template <class F> std::string list_parameters(const std::vector<parameter> &all, F write) {
    std::string list;
    for (const parameter &p : all)
        list += (list.empty() ? "" : ", ") + write(p.name) + (p.is_pack ? "..." : "");
    return list;
}

#endif
