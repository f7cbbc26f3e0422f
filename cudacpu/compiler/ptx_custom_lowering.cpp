/* ptx_custom_lowering.cpp - instructions whose operands follow no pattern: mov, ld, st, cvt, elect,
 * shfl, bra, wgmma. */
#include "ptx.h"

namespace {

/* Of a register's bits: those of f32 are a uint32_t. */
std::string type_of(const std::string &type) {
    return (type[0] == 's' ? "int" : "uint") + std::to_string(bits_of_type(type)) + "_t";
}

/* A value of a PTX type for a register, which may be wider: with the type's sign. */
std::string widen(const std::string &type, const std::string &value, unsigned bits) {
    return cast(unsigned_type(bits), cast(type_of(type), value));
}

/* Special registers; * is x, y or z. */
const struct {
    const char *name, *expression;
    unsigned bits;
} SPECIAL[] = {
    {"%tid.*", "::cudacpu::here().thread.*", 32},
    {"%ntid.*", "::cudacpu::here().block_dim.*", 32},
    {"%ctaid.*", "::cudacpu::here().block.*", 32},
    {"%nctaid.*", "::cudacpu::here().grid_dim.*", 32},
    {"%laneid", "::cudacpu::lane()", 32},
    {"%warpid", "::cudacpu::here().number / 32", 32},
    {"%lanemask_eq", "1u << ::cudacpu::lane()", 32},
    {"%lanemask_lt", "(1u << ::cudacpu::lane()) - 1", 32},
    {"%lanemask_le", "(2u << ::cudacpu::lane()) - 1", 32},
    {"%lanemask_gt", "~((2u << ::cudacpu::lane()) - 1)", 32},
    {"%lanemask_ge", "~((1u << ::cudacpu::lane()) - 1)", 32},
    {"%smid", "0", 32},
    {"%nsmid", "1", 32},
    {"%clock", "::clock64()", 32},
    {"%clock64", "::clock64()", 64},
    {"%globaltimer", "::clock64()", 64},
    {"%cluster_ctarank", "::cudacpu::ptx::cluster_rank()", 32},
    {"%cluster_nctarank", "::cudacpu::ptx::cluster_size()", 32},
    {"%cluster_ctaid.*", "::cudacpu::ptx::block_in_cluster(#)", 32},
    {"%cluster_nctaid.*", "::cudacpu::ptx::blocks_in_cluster(#)", 32},
    {"%clusterid.*", "::cudacpu::ptx::cluster_id(#)", 32},
    {"%nclusterid.*", "::cudacpu::ptx::cluster_count(#)", 32},
    {"WARP_SZ", "32", 32},
};

/* "" for another name. */
std::string find_special(const std::string &name, unsigned *bits) {
    for (const auto &special : SPECIAL) {
        std::string pattern = special.name, expression = special.expression;
        if (pattern.back() == '*') {
            const char axis = name.empty() ? ' ' : name.back();
            if (axis < 'x' || axis > 'z')
                continue;
            pattern.back() = axis;
            if (expression.back() == '*')
                expression.back() = axis;
            else
                expression.replace(expression.find('#'), 1, std::to_string(axis - 'x'));
        }
        if (name == pattern) {
            *bits = special.bits;
            return cast(unsigned_type(special.bits), expression);
        }
    }
    return "";
}

/* mov.b64 d, {a, b} and mov.b64 {a, b}, s: the first has the lowest bits. */
std::string emit_packing(const ptx_symbols &symbols, const ptx_line &line, unsigned bits) {
    const bool packs = line.operands[1].kind == PTX_VECTOR;
    const ptx_operand &list = line.operands[packs ? 1 : 0];
    const unsigned part = bits / (unsigned)list.parts.size();
    if ((list.parts.size() != 2 && list.parts.size() != 4) || part < 16)
        symbols.reject(" cannot pack " + to_string(list));
    if (packs) {
        std::string sum;
        for (size_t i = 0; i < list.parts.size(); i++)
            sum += (i ? " | " : "") + cast(unsigned_type(bits), symbols.read(list.parts[i], part)) +
                   " << " + std::to_string(i * part);
        return symbols.write(line.operands[0], bits) + " = " + cast(unsigned_type(bits), sum) + ";";
    }
    std::string code = "const " + unsigned_type(bits) +
                       " cudacpu_s = " + symbols.read(line.operands[1], bits) + ";";
    for (size_t i = 0; i < list.parts.size(); i++)
        if (list.parts[i].kind != PTX_SINK)
            code += " " + symbols.write(list.parts[i], part) + " = " +
                    cast(unsigned_type(part), "cudacpu_s >> " + std::to_string(i * part)) + ";";
    return code;
}

std::string emit_mov(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const ptx_operand &to = line.operands[0], &from = line.operands[1];
    const unsigned bits = bits_of_type(match.type);
    if (bits == PREDICATE_BITS)
        return symbols.write(to, bits) + " = " + symbols.read_predicate(from) + ";";
    if (to.kind == PTX_VECTOR || from.kind == PTX_VECTOR)
        return emit_packing(symbols, line, bits);
    unsigned special_bits = 0;
    const std::string special = from.kind == PTX_NAME ? find_special(from.text, &special_bits) : "";
    if (special.empty() && from.kind == PTX_NAME && from.text[0] == '%' &&
        !symbols.is_declared(from.text))
        symbols.refuse("cudacpu does not provide the PTX register " + from.text);
    if (!special.empty() && special_bits != bits)
        symbols.reject(": " + from.text + " has " + std::to_string(special_bits) + " bits");
    return symbols.write(to, bits) + " = " +
           (special.empty() ? cast(unsigned_type(bits), symbols.read(from, bits)) : special) + ";";
}

std::string emit_cvt(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const std::string &to = match.modifiers[0], &from = match.modifiers[1];
    unsigned has = 0, gets = 0;
    const std::string source = symbols.read_any(line.operands[1], &has),
                      target = symbols.write_any(line.operands[0], &gets);
    if (has < bits_of_type(from) || gets < bits_of_type(to) || gets == PREDICATE_BITS)
        symbols.reject(": a register is too small for its type");
    return target + " = " + widen(to, cast(type_of(from), source), gets) + ";";
}

/* Where ld and st have their list or register, as single ones. */
std::vector<ptx_operand> list_of(const ptx_symbols &symbols, const ptx_line &line, size_t i,
                                 const ptx_match &match) {
    const size_t count = match.has("v2") ? 2 : match.has("v4") ? 4 : 1;
    const ptx_operand &operand = line.operands[i];
    if (count == 1 && operand.kind != PTX_VECTOR)
        return {operand};
    if (operand.kind != PTX_VECTOR || operand.parts.size() != count)
        symbols.reject(" takes " +
                       (count == 1 ? "one register" : std::to_string(count) + " registers in { }") +
                       ", not " + to_string(operand));
    if (count * bits_of_type(match.type) > 128)
        symbols.reject(" moves more than 16 bytes, which needs sm_100");
    return operand.parts;
}

std::string emit_pointer(const ptx_symbols &symbols, const ptx_operand &address,
                         const ptx_match &match) {
    if (match.is_in_shared())
        return "::cudacpu::ptx::from_shared(" + symbols.shared_address(address) + ", &cudacpu_at)";
    return "reinterpret_cast<void *>(" + symbols.generic_address(address) + ")";
}

/* The type of the access: one, as the GPU makes one. */
std::string access_type(const ptx_match &match, size_t count) {
    const unsigned bits = bits_of_type(match.type);
    if (count == 1)
        return "volatile " + type_of(match.type);
    const char *const name = bits == 8    ? "::uchar"
                             : bits == 16 ? "::ushort"
                             : bits == 32 ? "::uint"
                                          : "::ulonglong";
    return name + std::to_string(count);
}

const char FENCE[] = "::__threadfence(); ";

std::string emit_load(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const std::vector<ptx_operand> list = list_of(symbols, line, 0, match);
    const bool vector = list.size() > 1;
    std::string code = "const auto cudacpu_s = *static_cast<const " +
                       access_type(match, list.size()) + " *>(" +
                       emit_pointer(symbols, line.operands[1], match) + "); ";
    for (size_t i = 0; i < list.size(); i++) {
        unsigned bits = 0;
        if (list[i].kind == PTX_SINK)
            continue;
        const std::string to = symbols.write_any(list[i], &bits);
        if (bits < bits_of_type(match.type))
            symbols.reject(": " + to_string(list[i]) + " has " + std::to_string(bits) + " bits");
        code += to + " = " +
                widen(match.type,
                      std::string("cudacpu_s") + (vector ? "." : "") +
                          (vector ? std::string(1, "xyzw"[i]) : ""),
                      bits) +
                "; ";
    }
    return code + (match.has("acquire") ? FENCE : "");
}

std::string emit_store(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const std::vector<ptx_operand> list = list_of(symbols, line, 1, match);
    const std::string type = access_type(match, list.size());
    std::string values;
    for (const ptx_operand &from : list) {
        unsigned bits = bits_of_type(match.type), has = 0;
        std::string value;
        if (from.kind == PTX_NUMBER && bits >= 32)
            value = symbols.read(from, has = bits);
        else
            value = symbols.read_any(from, &has);
        if (has < bits)
            symbols.reject(": " + to_string(from) + " has " + std::to_string(has) + " bits");
        values += (values.empty() ? "" : ", ") + cast(unsigned_type(bits), value);
    }
    return (match.has("release") ? FENCE : "") + ("*static_cast<" + type) + " *>(" +
           emit_pointer(symbols, line.operands[0], match) + ") = " +
           (list.size() > 1 ? type + "{" + values + "}" : cast(type_of(match.type), values)) + ";";
}

std::string emit_elect(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &) {
    const ptx_operand &pair = line.operands[0];
    if (pair.kind != PTX_PAIR)
        symbols.reject(" takes lane|predicate, not " + to_string(pair));
    const bool sink = pair.parts[0].kind == PTX_SINK;
    return symbols.write(pair.parts[1], PREDICATE_BITS) + " = ::cudacpu::ptx::elect(" +
           symbols.read(line.operands[1], 32, PTX_INTEGER) + ", " +
           (sink ? "nullptr" : "&" + symbols.write(pair.parts[0], 32, PTX_INTEGER)) +
           ", &cudacpu_at);";
}

/* d, or d|predicate, the value, the lane or distance, the clamp (with the segments' mask above 8
 * bits), the threads. */
std::string emit_shuffle(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const ptx_operand &to = line.operands[0];
    const bool pair = to.kind == PTX_PAIR;
    std::string inputs, predicate = "nullptr";
    for (size_t i = 1; i < 5; i++)
        inputs += ", " + symbols.read(line.operands[i], 32, i == 1 ? PTX_BITS : PTX_INTEGER);
    if (pair && to.parts[1].kind != PTX_SINK)
        predicate = "&" + symbols.write(to.parts[1], PREDICATE_BITS);
    return symbols.write(pair ? to.parts[0] : to, 32, PTX_BITS) +
           " = ::cudacpu::ptx::shuffle_bits('" + match.modifiers[0][0] + "'" + inputs + ", " +
           predicate + ", &cudacpu_at);";
}

std::string emit_bra(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &) {
    return "goto " + symbols.label(line.operands[0]) + ";";
}

/* n of m64nNkK, from its modifier. */
unsigned read_n(const ptx_symbols &symbols, const ptx_match &match, bool integers) {
    const std::string digits = match.modifiers[2].substr(4, match.modifiers[2].find('k') - 4);
    unsigned n = 0;
    for (char c : digits)
        n = c < '0' || c > '9' || n > 999 ? 9999 : n * 10 + (unsigned)(c - '0');
    if (n < 8 || n > 256 || n % 8 != 0 || (integers && n > 32 && n % 16 != 0) || digits[0] == '0')
        symbols.reject(std::string(": wgmma's n is ") +
                       (integers ? "8, 16, 24, 32 or a multiple of 16" : "a multiple of 8") +
                       " up to 256, not " + digits);
    return n;
}

/* sums, a or its descriptor, b's descriptor, whether to add, then (of floats) factors of 1 or -1
 * for a and b, and whether each is transposed (a only if it has a descriptor). */
std::string emit_wgmma(const ptx_symbols &symbols, const ptx_line &line, const ptx_match &match) {
    const bool integers = match.has("s32"),
               registers = line.operands.size() > 1 && line.operands[1].kind == PTX_VECTOR;
    const unsigned n = read_n(symbols, match, integers);
    const size_t factors = integers ? 0 : registers ? 3 : 4;
    if (line.operands.size() != 4 + factors)
        symbols.reject(" takes " + std::to_string(4 + factors) + " operands, not " +
                       std::to_string(line.operands.size()));
    const std::vector<ptx_operand> &sums = line.operands[0].parts;
    if (line.operands[0].kind != PTX_VECTOR || sums.size() != n / 2)
        symbols.reject(" takes " + std::to_string(n / 2) + " sums in { }, not " +
                       std::to_string(sums.size()));
    /* Sums are mostly the elements of an array, and the C++ compiler sees it. */
    std::string code = "void *const cudacpu_d[] = {", a = "nullptr", descriptor = "0",
                together = "!::cudacpu::ptx::is_observed";
    const std::string first = "(uintptr_t)" + symbols.take_address(sums[0], integers ? 'r' : 'f');
    for (size_t i = 0; i < sums.size(); i++) {
        const std::string address = symbols.take_address(sums[i], integers ? 'r' : 'f');
        code += address + ", ";
        together +=
            " & ((uintptr_t)" + address + " - " + first + " == " + std::to_string(4 * i) + ")";
    }
    code += "}; ";
    if (registers) {
        if (line.operands[1].parts.size() != 4)
            symbols.reject(" takes 4 registers of A, not " + to_string(line.operands[1]));
        code += "const uint32_t cudacpu_a[] = {";
        for (const ptx_operand &part : line.operands[1].parts)
            code += symbols.read(part, 32, PTX_INTEGER) + ", ";
        code += "}; ";
        a = "cudacpu_a";
    } else {
        descriptor = symbols.read(line.operands[1], 64, PTX_INTEGER);
    }
    std::string extra;
    for (size_t i = 0, next = 4; i < 4; i++) { /* of a, of b: negated; transposed */
        if (integers || (i == 2 && registers)) {
            extra += ", false";
            continue;
        }
        const std::string value = symbols.read_constant(line.operands[next++]);
        code +=
            "static_assert(" + value +
            (i < 2 ? " == 1 || " + value + " == 0xffffffffu, \"wgmma's imm-scale is 1 or -1\"); "
                   : " <= 1, \"wgmma's imm-trans is 0 or 1\"); ");
        extra += ", " + value + (i < 2 ? " != 1" : " != 0");
    }
    const std::string factors_and_place =
        ", " + a + ", " + descriptor + ", " + symbols.read(line.operands[2], 64, PTX_INTEGER) +
        ", " + symbols.read_predicate(line.operands[3]) + ", &cudacpu_at); ";
    return code + "const ::cudacpu::ptx::wgmma_shape cudacpu_shape = {" + std::to_string(n) + ", " +
           name_of(match.modifiers[4]) + ", " + name_of(match.modifiers[5]) + ", " +
           (match.has("satfinite") ? "true" : "false") + extra + "}; if (" + together +
           ") ::cudacpu::ptx::wgmma_of_array(cudacpu_shape, cudacpu_d[0]" + factors_and_place +
           "else ::cudacpu::ptx::wgmma(cudacpu_shape, cudacpu_d" + factors_and_place;
}

} // namespace

std::string emit_custom(const std::string &name, const ptx_symbols &symbols, const ptx_line &line,
                        const ptx_match &match) {
    static const std::map<std::string,
                          std::string (*)(const ptx_symbols &, const ptx_line &, const ptx_match &)>
        LOWERINGS = {{"mov", emit_mov},         {"cvt", emit_cvt},     {"load", emit_load},
                     {"store", emit_store},     {"elect", emit_elect}, {"bra", emit_bra},
                     {"shuffle", emit_shuffle}, {"wgmma", emit_wgmma}};
    return LOWERINGS.at(name)(symbols, line, match);
}
