/* ptx_instructions.cpp - finds an instruction's form in the table. */
#include "ptx_instructions.h"
#include "ptx_forms.h"
#include <algorithm>
#include <cstring>
#include <sstream>

namespace {

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);)
        if (!word.empty())
            words.push_back(word);
    return words;
}

bool is_one_of(const std::string &word, const std::string &choice) {
    for (const std::string &candidate : split(choice, '|')) {
        const size_t star = candidate.find('*');
        if (star == std::string::npos
                ? word == candidate
                : word.size() >= candidate.size() &&
                      word.compare(0, star, candidate, 0, star) == 0 &&
                      word.compare(word.size() - (candidate.size() - star - 1), std::string::npos,
                                   candidate, star + 1, std::string::npos) == 0)
            return true;
    }
    return false;
}

/* The words of a form's modifiers without ? and =. */
std::string choice_of(const std::string &word) { return word.substr(word.find_first_not_of("?=")); }

/* Each of the line's modifiers at the first free place that takes it; no place that must be taken
 * stays free. */
bool match_modifiers(const ptx_form &form, const std::vector<std::string> &given,
                     ptx_match *match) {
    const std::vector<std::string> places = split(form.modifiers, ' ');
    match->form = &form;
    match->modifiers.assign(places.size(), "");
    match->type.clear();
    for (const std::string &modifier : given) {
        size_t i = 0;
        while (i < places.size() &&
               (!match->modifiers[i].empty() || !is_one_of(modifier, choice_of(places[i]))))
            i++;
        if (i == places.size())
            return false;
        match->modifiers[i] = modifier;
        if (places[i].find('=') < 2)
            match->type = modifier;
    }
    for (size_t i = 0; i < places.size(); i++)
        if (match->modifiers[i].empty() && places[i][0] != '?')
            return false;
    return true;
}

/* How many operands the form takes. */
void count_operands(const ptx_form &form, size_t *least, size_t *most) {
    const std::vector<std::string> operands = split(form.operands, ',');
    *most = operands.size();
    *least = (size_t)std::count_if(operands.begin(), operands.end(), [](const std::string &o) {
        return o.find('?') == std::string::npos;
    });
    if (form.code[0] == '!') { /* looks for itself */
        *least = 0;
        *most = 99;
    }
}

/* The words after the form's name, if the instruction begins with it. */
bool begins_with(const std::string &instruction, const char *name) {
    const size_t length = std::strlen(name);
    return instruction.compare(0, length, name) == 0 &&
           (instruction.size() == length || instruction[length] == '.');
}

/* What no form of this name has, to be named in the sentence. */
std::string find_unknown(const char *name, const std::vector<std::string> &given) {
    for (const std::string &modifier : given) {
        bool known = false;
        for (size_t i = 0; i < PTX_FORM_COUNT && !known; i++)
            if (std::strcmp(PTX_FORMS[i].name, name) == 0)
                for (const std::string &place : split(PTX_FORMS[i].modifiers, ' '))
                    known = known || is_one_of(modifier, choice_of(place));
        if (!known)
            return ": not with ." + modifier;
    }
    return ": not with these modifiers together, or one is missing";
}

} // namespace

bool ptx_match::has(const std::string &modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

ptx_match find_form(const ptx_context &context, const ptx_line &line) {
    const char *name = ""; /* the longest that fits */
    for (size_t i = 0; i < PTX_FORM_COUNT; i++)
        if (begins_with(line.name, PTX_FORMS[i].name) &&
            std::strlen(PTX_FORMS[i].name) > std::strlen(name))
            name = PTX_FORMS[i].name;
    const std::string refusal = "cudacpu does not provide the PTX instruction '" + line.name + "'";
    if (!*name)
        context.refuse(refusal);
    const std::vector<std::string> given =
        split(line.name.substr(std::min(std::strlen(name) + 1, line.name.size())), '.');
    ptx_match match;
    size_t least = 99, most = 0;
    for (size_t i = 0; i < PTX_FORM_COUNT; i++) {
        if (std::strcmp(PTX_FORMS[i].name, name) != 0 ||
            !match_modifiers(PTX_FORMS[i], given, &match))
            continue;
        size_t from, to;
        count_operands(PTX_FORMS[i], &from, &to);
        if (line.operands.size() >= from && line.operands.size() <= to)
            return match;
        least = std::min(least, from);
        most = std::max(most, to);
    }
    if (least > most)
        context.refuse(refusal + find_unknown(name, given));
    context.refuse("'" + line.name + "' takes " +
                   (least < most ? std::to_string(least) + " to " : "") + std::to_string(most) +
                   " operand" + (most == 1 ? "" : "s") + ", not " +
                   std::to_string(line.operands.size()));
}
