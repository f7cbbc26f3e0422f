# step_facts.awk - turns a step's step.conf into C: a step_facts (common/step.h). Values that are not given have the
# defaults of a step that keeps 1e-6 on every operand. Anything else than what step.h knows ends the build with a sentence.
#     awk -v step=06_tiled -v symbol=this_step -f mk/step_facts.awk 06_tiled/step.conf
function refuse(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what >"/dev/stderr"
    failed = 1
    exit 1
}
function wrong(kinds) { refuse(key " = " value ": it is " kinds) }
# A positive number, 2^-24 among them, as C writes it.
function number(text) {
    if (text ~ /^2\^-[0-9]+$/)
        return "0x1p" substr(text, 3)
    if (text !~ /^([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/ || text + 0 <= 0)
        wrong("a positive number, such as 1e-6 or 2^-24")
    return text
}
function whole(text) {
    if (text !~ /^[1-9][0-9]*$/ || text + 0 > 2147483647)
        wrong("a whole number from 1 to 2147483647")
    return text
}
# One of two words: 0 for the first.
function choice(first, second) {
    if (value != first && value != second)
        wrong("one of " first ", " second)
    return value == second
}
# "1e-6 to n = 128": the bound, and the largest n.
function bound(to,    parts, count) {
    count = split(value, parts, / to n = /)
    if (count > 2 || (count < 2 && to == ""))
        wrong("a number" (to == "" ? " to n = " : ", or a number to n = ") "a whole number")
    fact[key] = number(parts[1])
    fact[key "_to"] = count == 2 ? whole(parts[2]) : to
}
# "2e-7 from n = 48, 1e-7 from n = 320"
function uniform(    parts, words, count, i, last) {
    count = split(value, parts, /, */)
    if (count > 2)
        wrong("a list of at most two bounds")
    for (i = 1; i <= count; i++) {
        if (split(parts[i], words, / from n = /) != 2)
            wrong("a list of bounds such as 1e-7 from n = 256")
        if (whole(words[2]) + 0 <= last)
            wrong("a list with ascending n")
        last = words[2] + 0
        fact[key] = fact[key] "{" last ", " number(words[1]) "}, "
    }
}
# "1000 8367b4614a3fc521, 1537 08948e458bac767b"
function hashes(    parts, words, count, i) {
    count = split(value, parts, /, */)
    if (count > 4)
        wrong("a list of at most four hashes")
    for (i = 1; i <= count; i++) {
        if (split(parts[i], words, / /) != 2 || words[2] !~ /^[0-9a-f]+$/ || length(words[2]) != 16)
            wrong("a list of N HASH, with 16 hexadecimal digits")
        fact["hashes"] = fact["hashes"] "{" whole(words[1]) ", 0x" words[2] "}, "
    }
}
# "2 n^3 / 16", "n^3 + n^2": words as a polynomial.
function loads(    terms, words, count, i, power, factor) {
    count = split(value, terms, / \+ /)
    for (i = 1; i <= count; i++) {
        if (terms[i] !~ /^([0-9]+ )?n\^[23]( \/ [0-9]+)?$/)
            wrong("a sum of terms such as 2 n^3 / 16")
        power = terms[i] ~ /n\^3/ ? 3 : 2
        factor = terms[i] ~ /^[0-9]/ ? terms[i] + 0 : 1
        if (split(terms[i], words, / \/ /) == 2)
            factor /= words[2]
        coefficient[power] += factor
    }
    fact["loads"] = "\"" value "\""
}
BEGIN {
    fact["tolerance"] = "1e-6"
    fact["tolerance_to"] = fact["mean_to"] = "INT_MAX"
    fact["tile"] = 16
    fact["same-bits"] = fact["target"] = fact["loads"] = "NULL"
    known = "tolerance, mean, reaches, uniform, largest, measure, infinities, one-term-sums, rejected, length, first-length, tile, small, same-bits, target, hashes, " \
        "devices, ladder, shared-bytes, loads, article-total, article-kernel"
}
{ sub(/[ \t]*#.*/, ""); sub(/^[ \t]+/, ""); sub(/[ \t\r]+$/, "") }
$0 == "" { next }
{
    at = index($0, "=")
    key = substr($0, 1, at - 1)
    value = substr($0, at + 1)
    sub(/[ \t]+$/, "", key); sub(/^[ \t]+/, "", value)
    if (!at || key == "" || value == "")
        refuse("'" $0 "': a line is KEY = VALUE")
    if (key in given)
        refuse(key " is given twice")
    given[key] = 1
    if (key == "tolerance") bound("INT_MAX")
    else if (key == "mean") bound("")
    else if (key == "uniform") uniform()
    else if (key ~ /^(reaches|largest|article-total|article-kernel)$/) fact[key] = number(value)
    else if (key == "measure") fact[key] = choice("magnitude", "plain-sum")
    else if (key == "devices") fact[key] = choice("one", "several")
    else if (key == "ladder") choice("yes", "no") # for mk/ladder.sh
    else if (key == "infinities") fact[key] = choice("any", "kept")
    else if (key == "one-term-sums") fact[key] = choice("rounded", "exact")
    else if (key == "rejected") fact[key] = choice("double", "next") + 1
    else if (key ~ /^(length|first-length|tile|small)$/) {
        fact[key] = whole(value)
        if (key ~ /length/ && fact[key] + 0 > 192) wrong("192 at most")
    }
    else if (key == "same-bits") {
        if (value !~ /^[a-z][a-z0-9-]*$/) wrong("a name in small letters")
        fact[key] = "\"" value "\""
    } else if (key == "target") {
        if (value !~ /^sm_[0-9]+a?$/) wrong("a target of nvcc, such as sm_90a")
        fact[key] = "\"" value "\""
    } else if (key == "shared-bytes") {
        if (value !~ /^[1-9][0-9]* n$/) wrong("a number of bytes for each n, such as 4 n")
        fact[key] = value + 0
    } else if (key == "hashes") hashes()
    else if (key == "loads") loads()
    else refuse("there is no key " key "; there are " known)
}
function or_zero(key) { return key in fact ? fact[key] : 0 }
END {
    if (failed)
        exit 1
    print "#include \"step.h\"\n#include <limits.h>\n#include <stddef.h>"
    printf "const step_facts %s = {\n    .name = \"%s\",\n", symbol, step
    printf "    .tolerance = %s,\n    .tolerance_to = %s,\n", fact["tolerance"], fact["tolerance_to"]
    printf "    .mean = %s,\n    .mean_to = %s,\n    .reaches = %s,\n", or_zero("mean"), fact["mean_to"], or_zero("reaches")
    printf "    .uniform = {%s{0, 0}},\n", fact["uniform"]
    printf "    .largest = %s,\n", or_zero("largest")
    printf "    .plain_sum = %d,\n    .keeps_infinities = %d,\n", fact["measure"], fact["infinities"]
    printf "    .exact_terms = %d,\n    .tile = %d,\n    .small = %d,\n", fact["one-term-sums"], fact["tile"], or_zero("small")
    printf "    .rejected = %d,\n", or_zero("rejected")
    printf "    .length = %d,\n    .first_length = %d,\n", fact["length"], fact["first-length" in fact ? "first-length" : "length"]
    printf "    .same_bits = %s,\n    .target = %s,\n", fact["same-bits"], fact["target"]
    printf "    .hashes = {%s{0, 0}},\n", fact["hashes"]
    printf "    .several_devices = %d,\n", fact["devices"]
    printf "    .shared_bytes_per_n = %d,\n", or_zero("shared-bytes")
    printf "    .loads = %s,\n    .loads_n3 = %.9g,\n    .loads_n2 = %.9g,\n", fact["loads"], coefficient[3], coefficient[2]
    printf "    .article_total = %s,\n    .article_kernel = %s,\n};\n", or_zero("article-total"), or_zero("article-kernel")
}
