/* ptx_arithmetic.cpp - PTX instructions that no step needs: carries, bits, video, directed
 * rounding, approximations, halves; and a warp's products of floats and votes. They are registered
 * with the core's (ptx.h). */
#include "compiler/ptx.h"
#include <iterator>

#define RESULT(expression) "$0 = static_cast<$U>(" expression ");"
#define WORDS "=u32|s32|u64|s64"
#define FLOAT(expression) "$0 = ::cudacpu::ptx::bits(" expression ");"
#define APPROXIMATE(function) FLOAT("static_cast<$T>(" function "static_cast<double>(@1)))")
#define TO(type, round) "::cudacpu::to_integer<" type ">(std::" round "(@1)));"
#define HIGH "static_cast<$U>(::cudacpu::ptx::high_product<$T>(@1, @2))"
#define CARRY(a, b, how) "$0 = ::cudacpu::ptx::add_carry<$U>(" a ", " b ", " how ");"
#define BORROW(how) "$0 = ::cudacpu::ptx::subtract_borrow<$U>($1, $2, " how ");"
/* By 32 and more: clamped to 32, or wrapped round. */
#define SHIFTED_BY(how) "(#3 && $2 > 31 ? 0 : $1 " how " ($2 & 31))"
#define DIRECTED(ptx, mode)                                                                        \
    {"add." ptx, "?ftz =f32", "dT, sT, sT", FLOAT("::__fadd_" mode "(@1, @2)")},                   \
        {"add." ptx, "=f64", "dT, sT, sT", FLOAT("::__dadd_" mode "(@1, @2)")},                    \
        {"sub." ptx, "?ftz =f32", "dT, sT, sT", FLOAT("::__fsub_" mode "(@1, @2)")},               \
        {"sub." ptx, "=f64", "dT, sT, sT", FLOAT("::__dsub_" mode "(@1, @2)")},                    \
        {"mul." ptx, "?ftz =f32", "dT, sT, sT", FLOAT("::__fmul_" mode "(@1, @2)")},               \
        {"mul." ptx, "=f64", "dT, sT, sT", FLOAT("::__dmul_" mode "(@1, @2)")},                    \
        {"fma." ptx, "?ftz =f32", "dT, sT, sT, sT", FLOAT("::__fmaf_" mode "(@1, @2, @3)")},       \
        {"fma." ptx, "=f64", "dT, sT, sT, sT", FLOAT("::__fma_" mode "(@1, @2, @3)")},             \
        {"div." ptx, "?ftz =f32", "dT, sT, sT", FLOAT("::__fdiv_" mode "(@1, @2)")},               \
        {"div." ptx, "=f64", "dT, sT, sT", FLOAT("::__ddiv_" mode "(@1, @2)")},                    \
        {"rcp." ptx, "?ftz =f32", "dT, sT", FLOAT("::__frcp_" mode "(@1)")},                       \
        {"rcp." ptx, "=f64", "dT, sT", FLOAT("::__drcp_" mode "(@1)")},                            \
        {"sqrt." ptx, "?ftz =f32", "dT, sT", FLOAT("::__fsqrt_" mode "(@1)")}, {                   \
        "sqrt." ptx, "=f64", "dT, sT", FLOAT("::__dsqrt_" mode "(@1)")                             \
    }
#define HALVES(operands, expression)                                                               \
    "$0 = ::cudacpu::ptx::by_halves(" operands ", [](double a, double b, double c) { "             \
    "static_cast<void>(c); return " expression "; });"

#define MMA(shape, types, operands, call)                                                          \
    {                                                                                              \
        "mma", "sync aligned " shape " row col " types, operands,                                  \
            "::cudacpu::ptx::" call ", $0, $1, $2, $3, $w);"                                       \
    }
#define LANES(function, arguments) "::" function "(" arguments ", ($w)->file, ($w)->line)"
#define OF_LANES(function, arguments) "$0 = " LANES(function, arguments) ";"

static const ptx_form FORMS[] = {
    /* of a warp */
    MMA("m16n8k16", "f32 f16 f16 f32", "F4, S4, S2, G4", "mma_sync_floats(16, #6"),
    MMA("m16n8k16", "f32 bf16 bf16 f32", "F4, S4, S2, G4", "mma_sync_floats(16, #6"),
    MMA("m16n8k16", "f16 f16 f16 f16", "D2, S4, S2, S2", "mma_sync_half(16"),
    MMA("m16n8k8", "f16 f16 f16 f16", "D2, S2, S1, S2", "mma_sync_half(8"),
    MMA("m16n8k8", "f32 f16 f16 f32", "F4, S2, S1, G4", "mma_sync_floats(8, #6"),
    MMA("m16n8k8", "f32 bf16 bf16 f32", "F4, S2, S1, G4", "mma_sync_floats(8, #6"),
    MMA("m16n8k8", "f32 tf32 tf32 f32", "F4, S4, S2, G4", "mma_sync_floats(8, #6"),
    {"vote.sync.ballot", "b32", "d32, p, s32", OF_LANES("__ballot_sync", "$2, $1")},
    {"vote.ballot.sync", "b32", "d32, p, s32", /* its older name */
     OF_LANES("__ballot_sync", "$2, $1")},
    {"vote.sync.any", "pred", "q, p, s32", OF_LANES("__any_sync", "$2, $1")},
    {"vote.sync.all", "pred", "q, p, s32", OF_LANES("__all_sync", "$2, $1")},
    {"redux.sync.add", "u32|s32", "d32, s32, s32", OF_LANES("__reduce_add_sync", "$2, $1")},
    {"redux.sync.and", "b32", "d32, s32, s32", OF_LANES("__reduce_and_sync", "$2, $1")},
    {"redux.sync.or", "b32", "d32, s32, s32", OF_LANES("__reduce_or_sync", "$2, $1")},
    {"redux.sync.xor", "b32", "d32, s32, s32", OF_LANES("__reduce_xor_sync", "$2, $1")},
    {"redux.sync.min", "=u32|s32", "d32, s32, s32", RESULT(LANES("__reduce_min_sync", "$2, @1"))},
    {"redux.sync.max", "=u32|s32", "d32, s32, s32", RESULT(LANES("__reduce_max_sync", "$2, @1"))},
    {"match.any.sync", "=b32|b64", "d32, sT, s32", OF_LANES("__match_any_sync", "$2, $1")},
    /* of a thread */
    {"mul24.lo", "u32", "d32, s32, s32", "$0 = ::__umul24($1, $2);"},
    {"mad24.lo", "u32", "d32, s32, s32, s32", "$0 = ::__umul24($1, $2) + $3;"},
    {"mul.hi", WORDS, "dT, sT, sT", RESULT(HIGH)},
    {"mad.hi", WORDS, "dT, sT, sT, sT", RESULT(HIGH " + $3")},
    {"add.cc", WORDS, "dT, sT, sT", CARRY("$1", "$2", "false, true")},
    {"addc", WORDS, "dT, sT, sT", CARRY("$1", "$2", "true, false")},
    {"addc.cc", WORDS, "dT, sT, sT", CARRY("$1", "$2", "true, true")},
    {"mad.lo.cc", WORDS, "dT, sT, sT, sT", CARRY("1u * $1 * $2", "$3", "false, true")},
    {"madc.lo", WORDS, "dT, sT, sT, sT", CARRY("1u * $1 * $2", "$3", "true, false")},
    {"madc.lo.cc", WORDS, "dT, sT, sT, sT", CARRY("1u * $1 * $2", "$3", "true, true")},
    {"mad.hi.cc", WORDS, "dT, sT, sT, sT", CARRY(HIGH, "$3", "false, true")},
    {"madc.hi", WORDS, "dT, sT, sT, sT", CARRY(HIGH, "$3", "true, false")},
    {"madc.hi.cc", WORDS, "dT, sT, sT, sT", CARRY(HIGH, "$3", "true, true")},
    {"sub.cc", WORDS, "dT, sT, sT", BORROW("false, true")},
    {"subc", WORDS, "dT, sT, sT", BORROW("true, false")},
    {"subc.cc", WORDS, "dT, sT, sT", BORROW("true, true")},
    {"sad", "u32", "d32, s32, s32, s32", "$0 = ::__usad($1, $2, $3);"},
    {"dp4a", "s32 s32", "d32, s32, s32, s32",
     "$0 = static_cast<uint32_t>(::__dp4a(static_cast<int>($1), static_cast<int>($2), "
     "static_cast<int>($3)));"},
    {"dp4a", "u32 u32", "d32, s32, s32, s32", "$0 = ::__dp4a($1, $2, $3);"},
    {"popc", "b32", "d32, s32", "$0 = static_cast<uint32_t>(::__popc($1));"},
    {"popc", "b64", "d32, s64", "$0 = static_cast<uint32_t>(::__popcll($1));"},
    {"clz", "b32", "d32, s32", "$0 = static_cast<uint32_t>(::__clz(static_cast<int>($1)));"},
    {"clz", "b64", "d32, s64",
     "$0 = static_cast<uint32_t>(::__clzll(static_cast<long long>($1)));"},
    {"bfind", "u32", "d32, s32",
     "$0 = 31u - static_cast<uint32_t>(::__clz(static_cast<int>($1)));"},
    {"brev", "b32", "d32, s32", "$0 = ::__brev($1);"},
    {"brev", "b64", "d64, s64", "$0 = ::__brevll($1);"},
    {"bfe", WORDS, "dT, sT, s32, s32", RESULT("::cudacpu::ptx::extract_bits<$T>(@1, $2, $3)")},
    {"bfi", "b32", "d32, s32, s32, s32, s32", "$0 = ::cudacpu::ptx::insert_bits($1, $2, $3, $4);"},
    /* video instructions: of whole words, with a sum of a third one */
    {"vadd", "u32|s32 u32|s32 u32|s32 add", "d32, s32, s32, s32", "$0 = $1 + $2 + $3;"},
    {"vsub", "u32|s32 u32|s32 u32|s32 add", "d32, s32, s32, s32", "$0 = $1 - $2 + $3;"},
    {"vshl", "u32 u32 u32 clamp|wrap add", "d32, s32, s32, s32", "$0 = " SHIFTED_BY("<<") " + $3;"},
    {"vshr", "u32 u32 u32 clamp|wrap add", "d32, s32, s32, s32", "$0 = " SHIFTED_BY(">>") " + $3;"},
    {"lop3", "b32", "d32, s32, s32, s32, i", "$0 = ::cudacpu::ptx::look_up($1, $2, $3, $4);"},
    {"shf.l.wrap", "b32", "d32, s32, s32, s32", "$0 = ::__funnelshift_l($1, $2, $3);"},
    {"shf.l.clamp", "b32", "d32, s32, s32, s32", "$0 = ::__funnelshift_lc($1, $2, $3);"},
    {"shf.r.wrap", "b32", "d32, s32, s32, s32", "$0 = ::__funnelshift_r($1, $2, $3);"},
    {"shf.r.clamp", "b32", "d32, s32, s32, s32", "$0 = ::__funnelshift_rc($1, $2, $3);"},
    DIRECTED("rz", "rz"),
    DIRECTED("rp", "ru"),
    DIRECTED("rm", "rd"),
    {"rsqrt.approx", "?ftz =f32|f64", "dT, sT", APPROXIMATE("1 / std::sqrt(")},
    {"ex2.approx", "?ftz =f32", "dT, sT", APPROXIMATE("std::exp2(")},
    {"lg2.approx", "?ftz =f32", "dT, sT", APPROXIMATE("std::log2(")},
    {"sin.approx", "?ftz =f32", "dT, sT", APPROXIMATE("std::sin(")},
    {"cos.approx", "?ftz =f32", "dT, sT", APPROXIMATE("std::cos(")},
    {"tanh.approx", "=f32", "dT, sT", APPROXIMATE("std::tanh(")},
    {"copysign", "=f32|f64", "dT, sT, sT", FLOAT("std::copysign(@2, @1)")},
    {"add", "?rn f16x2", "d32, s32, s32", HALVES("$1, $2, 0", "a + b")},
    {"sub", "?rn f16x2", "d32, s32, s32", HALVES("$1, $2, 0", "a - b")},
    {"mul", "?rn f16x2", "d32, s32, s32", HALVES("$1, $2, 0", "a * b")},
    {"fma.rn", "f16x2", "d32, s32, s32, s32", HALVES("$1, $2, $3", "a * b + c")},
    {"cvt.rn", "f16x2 =f32", "d32, sT, sT", "$0 = ::cudacpu::ptx::pack_halves(@1, @2);"},
    {"cvt.rn", "bf16x2 =f32", "d32, sT, sT", "$0 = ::cudacpu::ptx::pack_bfloats(@1, @2);"},
    {"cvt.rn", "f16 =f32", "d16, sT", "$0 = ::cudacpu::half_bits(@1);"},
    {"cvt.rn", "bf16 =f32", "d16, sT", "$0 = ::cudacpu::bfloat16_bits(@1);"},
    {"cvt", "=f32 f16", "dT, s16", FLOAT("static_cast<float>(::cudacpu::half_value($1))")},
    {"cvt", "=f32 bf16", "dT, s16", FLOAT("static_cast<float>(::cudacpu::bfloat16_value($1))")},
    {"cvt.rn", "=f32|f64 s32", "dT, s32", FLOAT("static_cast<$T>(static_cast<int32_t>($1))")},
    {"cvt.rn", "=f32|f64 u32", "dT, s32", FLOAT("static_cast<$T>($1)")},
    {"cvt.rzi", "s32 =f32|f64", "d32, sT", "$0 = static_cast<uint32_t>(" TO("int", "trunc")},
    {"cvt.rzi", "u32 =f32|f64", "d32, sT", "$0 = static_cast<uint32_t>(" TO("unsigned", "trunc")},
    {"cvt.rni", "s32 =f32|f64", "d32, sT", "$0 = static_cast<uint32_t>(" TO("int", "rint")},
    {"cvt.rni", "u32 =f32|f64", "d32, sT", "$0 = static_cast<uint32_t>(" TO("unsigned", "rint")},
    {"prmt", "b32", "d32, s32, s32, s32", "$0 = ::cudacpu::ptx::permute($1, $2, $3);"},
};

static const auto registered =
    ptx_forms().insert(ptx_forms().end(), std::begin(FORMS), std::end(FORMS));
