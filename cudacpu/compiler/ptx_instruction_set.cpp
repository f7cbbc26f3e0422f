/* ptx_instruction_set.cpp - the table of the PTX instructions that cudacpu provides (its columns:
 * ptx.h). */
#include "ptx.h"
#include <iterator>

#define SHARED "?shared|shared::cta "
#define CLUSTER "?shared|shared::cta|shared::cluster "
#define ARRIVES "?release|relaxed ?cta|cluster "
#define COUNTS "?relaxed ?cta|cluster "
#define WAITS "?acquire|relaxed ?cta|cluster "
#define INTEGER "=u16|u32|u64|s16|s32|s64"
#define BITS "=b16|b32|b64"
#define COPIES "mbarrier::complete_tx::bytes "
#define RESULT(expression) "$0 = static_cast<$U>(" expression ");"
#define CALL(function, arguments) "::cudacpu::ptx::" function "(" arguments ", $w);"
#define ALONE(function) "::cudacpu::ptx::" function "($w);"
#define GIVES(function, arguments) "$0 = " CALL(function, arguments)
#define MMA(shape, types, operands, function, how)                                                 \
    {                                                                                              \
        "mma", "sync aligned " shape " row col " types, operands,                                  \
            CALL(function, how ", $0, $1, $2, $3")                                                 \
    }
#define FLOATS "?rn ?ftz =f32|f64"
#define FLOAT(expression) "$0 = ::cudacpu::ptx::bits(" expression ");"
#define WIDE_PRODUCT                                                                               \
    "$0 = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>($1)) * "                 \
    "static_cast<int32_t>($2))"
/* The first two modifiers of an atomic instruction: %0 is whether it orders other accesses. */
#define ORDERED "?acquire|release|acq_rel ?relaxed ?cta|cluster|gpu|sys "
#define SPACE "?global|shared|shared::cta "
#define ATOMICALLY(call) "::cudacpu::ptx::atomically(%0, $w, [&] { return " call "; })"
#define ATOM(operations, types, operands, values)                                                  \
    {                                                                                              \
        "atom", ORDERED SPACE operations " " types, operands,                                      \
            "$0 = ::cudacpu::ptx::bits(" ATOMICALLY("#4($1, " values ")") ");"                     \
    }
#define ATOM_AND_RED(operations, types)                                                            \
    ATOM(operations, types, "dT, t, sT", "@2"), {                                                  \
        "red", ORDERED SPACE operations " " types, "t, sT", ATOMICALLY("#4($0, @1)") ";"           \
    }
#define COPY(sizes, words)                                                                         \
    "static_assert(" sizes ", \"cp.async" words " bytes\"); "                                      \
    "::cudacpu::ptx::cp_async($0, $1, $2, $3, $w);"
#define HINT " ?L2::cache_hint"
#define COPIED "?L2::64B|L2::128B|L2::256B shared|shared::cta global" HINT
#define LDMATRIX(count) "sync aligned m8n8 x" count " b16 ?trans " SHARED
#define LOAD_MATRIX(count) "::cudacpu::ptx::warp_ldmatrix($0, " count ", %5, $1, $w);"
#define REGISTERS                                                                                  \
    "static_assert($0 >= 24 && $0 <= 256 && $0 % 8 == 0, "                                         \
    "\"setmaxnreg takes a multiple of 8 from 24 to 256\"); ::cudacpu::ptx::setmaxnreg("
#define AT_MOST_7(call)                                                                            \
    "static_assert($0 <= 7, \"wgmma.wait_group takes 0 to 7\"); ::cudacpu::ptx::" call

static const ptx_form CORE[] = {
    /* tensor cores */
    {"ldmatrix", LDMATRIX("1"), "D1, m", LOAD_MATRIX("1")},
    {"ldmatrix", LDMATRIX("2"), "D2, m", LOAD_MATRIX("2")},
    {"ldmatrix", LDMATRIX("4"), "D4, m", LOAD_MATRIX("4")},
    MMA("m16n8k32", "s32 s8|u8 s8|u8 s32 ?satfinite", "D4, S4, S2, S4", "warp_mma",
        "32, #6, #7, %9"),
    MMA("m16n8k16", "s32 s8|u8 s8|u8 s32 ?satfinite", "D4, S2, S1, S4", "warp_mma",
        "16, #6, #7, %9"),
    MMA("m8n8k4", "f64 f64 f64 f64", "E2, H1, H1, H2", "warp_mma_f64", "8, 4"),
    MMA("m16n8k4", "f64 f64 f64 f64", "E4, H2, H1, H4", "warp_mma_f64", "16, 4"),
    MMA("m16n8k8", "f64 f64 f64 f64", "E4, H4, H2, H4", "warp_mma_f64", "16, 8"),
    MMA("m16n8k16", "f64 f64 f64 f64", "E4, H8, H4, H4", "warp_mma_f64", "16, 16"),
    {"wgmma.mma_async", "sync aligned m64n*k32 s32 s8|u8 s8|u8 ?satfinite", "-, -, -, -", "!wgmma"},
    {"wgmma.mma_async", "sync aligned m64n*k16 f32 f16 f16", "*", "!wgmma"},
    {"wgmma.mma_async", "sync aligned m64n*k16 f32 bf16 bf16", "*", "!wgmma"},
    {"wgmma.fence", "sync aligned", "", ALONE("wgmma_fence")},
    {"wgmma.commit_group", "sync aligned", "", ALONE("wgmma_commit_group")},
    {"wgmma.wait_group", "sync aligned", "i", AT_MOST_7("wgmma_wait_group($0, $w);")},
    {"setmaxnreg.inc", "sync aligned u32", "i", REGISTERS "true, $0, $w);"},
    {"setmaxnreg.dec", "sync aligned u32", "i", REGISTERS "false, $0, $w);"},

    /* asynchronous copies */
    {"cp.async.ca", COPIED, "a, g, i, ?z=$2",
     COPY("$2 == 4 || $2 == 8 || $2 == 16", " copies 4, 8 or 16")},
    {"cp.async.cg", COPIED, "a, g, i, ?z=$2", COPY("$2 == 16", ".cg copies 16")},
    {"cp.async.commit_group", "", "", ALONE("cp_async_commit_group")},
    {"cp.async.wait_group", "", "i", CALL("cp_async_wait_group", "$0")},
    {"cp.async.wait_all", "", "", ALONE("cp_async_wait_all")},
    {"cp.async.mbarrier.arrive", "?noinc " SHARED "b64", "m",
     CALL("cp_async_mbarrier_arrive", "$0, %0")},
    {"cp.async.bulk", COPIES "shared::cluster|shared::cta global" HINT, "a, g, s32, a",
     CALL("bulk_load", "$0, $1, $2, $3, 0")},
    {"cp.async.bulk", COPIES "shared::cluster global multicast::cluster" HINT, "a, g, s32, a, s16",
     CALL("bulk_load", "$0, $1, $2, $3, $4")},
    {"cp.async.bulk", COPIES "shared::cluster shared::cta", "a, a, s32, a",
     CALL("bulk_copy_to_cluster", "$0, $1, $2, $3")},
    {"cp.async.bulk", "global shared::cta bulk_group" HINT, "g, a, s32",
     CALL("bulk_store", "$0, $1, $2")},
    {"cp.async.bulk.prefetch", "L2 global" HINT, "g, s32", CALL("bulk_prefetch", "$0, $1")},
    {"cp.async.bulk.commit_group", "", "", ALONE("bulk_commit_group")},
    {"cp.async.bulk.wait_group", "?read", "i", CALL("bulk_wait_group", "$0, %0")},

    /* mbarriers */
    {"mbarrier.init", SHARED "b64", "m, s32", CALL("mbarrier_init", "$0, $1")},
    {"mbarrier.inval", SHARED "b64", "m", CALL("mbarrier_inval", "$0")},
    {"mbarrier.arrive", ARRIVES CLUSTER "b64", "d64_, m, ?s32=1",
     GIVES("mbarrier_arrive", "$1, $2")},
    {"mbarrier.arrive.noComplete", ARRIVES SHARED "b64", "d64, m, s32",
     GIVES("mbarrier_arrive", "$1, $2")},
    {"mbarrier.arrive.expect_tx", ARRIVES CLUSTER "b64", "d64_, m, s32",
     GIVES("mbarrier_arrive_expect_tx", "$1, $2")},
    {"mbarrier.arrive_drop", ARRIVES CLUSTER "b64", "d64_, m, ?s32=1",
     GIVES("mbarrier_arrive_drop", "$1, $2")},
    {"mbarrier.arrive_drop.noComplete", ARRIVES SHARED "b64", "d64, m, s32",
     GIVES("mbarrier_arrive_drop", "$1, $2")},
    {"mbarrier.expect_tx", COUNTS CLUSTER "b64", "m, s32", CALL("mbarrier_expect_tx", "$0, $1")},
    {"mbarrier.complete_tx", COUNTS CLUSTER "b64", "m, s32",
     CALL("mbarrier_complete_tx", "$0, $1")},
    {"mbarrier.test_wait", WAITS SHARED "b64", "q, m, s64", GIVES("mbarrier_test_wait", "$1, $2")},
    {"mbarrier.test_wait.parity", WAITS SHARED "b64", "q, m, s32",
     GIVES("mbarrier_test_wait_parity", "$1, $2")},
    {"mbarrier.try_wait", WAITS SHARED "b64", "q, m, s64, ?s32=0",
     GIVES("mbarrier_try_wait", "$1, $2")},
    {"mbarrier.try_wait.parity", WAITS SHARED "b64", "q, m, s32, ?s32=0",
     GIVES("mbarrier_try_wait_parity", "$1, $2")},
    {"mbarrier.pending_count", "b64", "d32, s64",
     "$0 = ::cudacpu::ptx::mbarrier_pending_count($1);"},

    /* barriers, fences, clusters */
    {"bar.sync", "", "s32, ?s32=0", CALL("barrier_sync", "$0, $1")},
    {"bar.cta.sync", "", "s32, ?s32=0", CALL("barrier_sync", "$0, $1")},
    {"barrier.sync", "?aligned", "s32, ?s32=0", CALL("barrier_sync", "$0, $1")},
    {"barrier.cta.sync", "?aligned", "s32, ?s32=0", CALL("barrier_sync", "$0, $1")},
    {"bar.arrive", "", "s32, s32", CALL("barrier_arrive", "$0, $1")},
    {"bar.cta.arrive", "", "s32, s32", CALL("barrier_arrive", "$0, $1")},
    {"barrier.arrive", "?aligned", "s32, s32", CALL("barrier_arrive", "$0, $1")},
    {"barrier.cta.arrive", "?aligned", "s32, s32", CALL("barrier_arrive", "$0, $1")},
    {"bar.warp.sync", "", "s32", "::__syncwarp($0, ($w)->file, ($w)->line);"},
    {"barrier.cluster.arrive", "?release|relaxed ?aligned", "", ALONE("cluster_arrive")},
    {"barrier.cluster.wait", "?acquire ?aligned", "", ALONE("cluster_wait")},
    {"griddepcontrol.wait", "", "", ALONE("wait_for_primary")},
    {"griddepcontrol.launch_dependents", "", "", ALONE("launch_dependents")},
    {"fence.proxy.async", "?shared::cta|shared::cluster|global", "", ALONE("fence_proxy_async")},
    {"fence.mbarrier_init", "release cluster", "", ALONE("fence_mbarrier_init")},
    {"fence", "?acq_rel|sc|acquire|release cta|cluster|gpu|sys", "", ALONE("fence")},
    {"membar", "cta|gl|sys", "", ALONE("fence")},
    {"elect.sync", "", "-, -", "!elect"},
    {"activemask", "b32", "d32", "$0 = ::cudacpu::converged_mask($w);"},
    {"mapa", "shared::cluster u32", "d32, s32, s32", GIVES("map_to_rank", "$1, $2")},
    {"mapa", "shared::cluster u64", "d64, s64, s32",
     "$0 = ::cudacpu::ptx::map_to_rank(static_cast<uint32_t>($1), $2, $w);"},
    {"mapa", "u64", "d64, s64, s32", GIVES("map_generic_to_rank", "$1, $2")},
    {"getctarank", "shared::cluster u32", "d32, s32", "$0 = ::cudacpu::ptx::rank_of($1);"},
    {"getctarank", "shared::cluster u64", "d32, s64",
     "$0 = ::cudacpu::ptx::rank_of(static_cast<uint32_t>($1));"},
    {"getctarank", "u64", "d32, s64",
     "$0 = ::cudacpu::ptx::rank_of(::cudacpu::ptx::to_shared($1, $w));"},
    {"cvta.to", "shared|shared::cta|shared::cluster u64", "d64, s64", GIVES("to_shared", "$1")},
    {"cvta", "shared|shared::cta|shared::cluster u64", "d64, s64",
     "$0 = reinterpret_cast<uint64_t>(::cudacpu::ptx::from_shared("
     "static_cast<uint32_t>($1), $w));"},
    {"cvta.to", "global u64", "d64, s64", "$0 = static_cast<uint64_t>($1);"},
    {"cvta", "global u64", "d64, s64", "$0 = static_cast<uint64_t>($1);"},

    /* memory */
    {"ld",
     "=b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64 ?v2|v4 "
     "?global|shared|shared::cta|shared::cluster ?weak|volatile|relaxed|acquire "
     "?cta|cluster|gpu|sys ?nc ?ca|cg|cs|cv|lu ?L1::* ?L2::cache_hint ?L2::*",
     "-, -", "!load"},
    {"st",
     "=b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64 ?v2|v4 "
     "?global|shared|shared::cta|shared::cluster ?weak|volatile|relaxed|release "
     "?cta|cluster|gpu|sys ?wb|cg|cs|wt ?L1::* ?L2::cache_hint ?L2::*",
     "-, -", "!store"},

    {"prefetch", "?global|local L1|L2 ?L2::*", "g", "static_cast<void>($0);"},
    {"prefetch", "?global|local L2::*", "g", "static_cast<void>($0);"},
    ATOM_AND_RED("add", "=u32|s32|u64|f32|f64"),
    ATOM_AND_RED("min|max", "=u32|s32|u64|s64"),
    ATOM_AND_RED("and|or|xor", "=b32|b64"),
    ATOM_AND_RED("inc|dec", "=u32"),
    ATOM("exch", "=b32|b64", "dT, t, sT", "@2"),
    ATOM("cas", "=b32|b64", "dT, t, sT, sT", "@2, @3"),

    /* warps */
    {"shfl.sync", "bfly|up|down|idx b32", "-, -, -, -, -", "!shuffle"},
    {"nanosleep", "u32", "s32", "static_cast<void>($0); ::cudacpu::sleep_thread($w);"},
    {"trap", "", "", "::cudacpu::trap(($w)->file, ($w)->line);"},
    {"exit", "", "", "::cudacpu::end_thread();"},
    {"brkpt", "", "", "::cudacpu::trap(($w)->file, ($w)->line);"},

    /* arithmetic; 1u: in unsigned, where nothing overflows */
    {"mov", "=pred|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64", "-, -", "!mov"},
    {"cvt", "u8|s8|u16|s16|u32|s32|u64|s64 u8|s8|u16|s16|u32|s32|u64|s64", "-, -", "!cvt"},
    {"add", INTEGER, "dT, sT, sT", RESULT("1u * $1 + $2")},
    {"sub", INTEGER, "dT, sT, sT", RESULT("1u * $1 - $2")},
    {"mul.lo", INTEGER, "dT, sT, sT", RESULT("1u * $1 * $2")},
    {"mad.lo", INTEGER, "dT, sT, sT, sT", RESULT("1u * $1 * $2 + $3")},
    {"min", INTEGER, "dT, sT, sT", RESULT("@1 < @2 ? @1 : @2")},
    {"max", INTEGER, "dT, sT, sT", RESULT("@1 > @2 ? @1 : @2")},
    {"mul.wide", "u16", "d32, s16, s16", "$0 = static_cast<uint32_t>($1) * $2;"},
    {"mul.wide", "s16", "d32, s16, s16",
     "$0 = static_cast<uint32_t>(static_cast<int16_t>($1) * static_cast<int16_t>($2));"},
    {"mul.wide", "u32", "d64, s32, s32", "$0 = static_cast<uint64_t>($1) * $2;"},
    {"mul.wide", "s32", "d64, s32, s32", WIDE_PRODUCT ";"},
    {"mad.wide", "u32", "d64, s32, s32, s64", "$0 = static_cast<uint64_t>($1) * $2 + $3;"},
    {"mad.wide", "s32", "d64, s32, s32, s64", WIDE_PRODUCT " + $3;"},
    {"neg", "=s16|s32|s64", "dT, sT", RESULT("0u - $1")},
    {"abs", "=s16|s32|s64", "dT, sT", RESULT("@1 < 0 ? 0u - $1 : $1")},
    /* subnormal numbers stay, also with .ftz; .approx: rounded from double */
    {"add", FLOATS, "dT, sT, sT", FLOAT("@1 + @2")},
    {"sub", FLOATS, "dT, sT, sT", FLOAT("@1 - @2")},
    {"mul", FLOATS, "dT, sT, sT", FLOAT("@1 * @2")},
    {"fma.rn", "?ftz =f32|f64", "dT, sT, sT, sT", FLOAT("std::fma(@1, @2, @3)")},
    {"mad.rn", "?ftz =f32|f64", "dT, sT, sT, sT", FLOAT("std::fma(@1, @2, @3)")},
    {"div", "rn|approx|full ?ftz =f32|f64", "dT, sT, sT", FLOAT("@1 / @2")},
    {"rcp", "rn|approx ?ftz =f32|f64", "dT, sT", FLOAT("$T(1) / @1")},
    {"sqrt", "rn|approx ?ftz =f32|f64", "dT, sT", FLOAT("std::sqrt(@1)")},
    {"neg", "?ftz =f32|f64", "dT, sT", FLOAT("-@1")},
    {"abs", "?ftz =f32|f64", "dT, sT", FLOAT("std::fabs(@1)")},
    {"min", "?ftz =f32|f64", "dT, sT, sT", FLOAT("std::fmin(@1, @2)")},
    {"max", "?ftz =f32|f64", "dT, sT, sT", FLOAT("std::fmax(@1, @2)")},
    {"cvt.rna", "tf32 =f32", "d32, sT", "$0 = ::cudacpu::ptx::to_tf32(@1);"},
    {"and", BITS, "dT, sT, sT", RESULT("$1 & $2")},
    {"or", BITS, "dT, sT, sT", RESULT("$1 | $2")},
    {"xor", BITS, "dT, sT, sT", RESULT("$1 ^ $2")},
    {"not", BITS, "dT, sT", RESULT("~$1")},
    {"shl", BITS, "dT, sT, s32", RESULT("$2 < $N ? 1u * $1 << $2 : 0")},
    {"shr", "=b16|b32|b64|u16|u32|u64|s16|s32|s64", "dT, sT, s32",
     RESULT("@1 >> ($2 < $N ? $2 : $N - 1) >> ($2 < $N ? 0 : 1)")},
    {"and", "pred", "q, p, p", "$0 = $1 && $2;"},
    {"or", "pred", "q, p, p", "$0 = $1 || $2;"},
    {"xor", "pred", "q, p, p", "$0 = $1 != $2;"},
    {"not", "pred", "q, p", "$0 = !$1;"},
    {"setp", "eq|ne =b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "q, sT, sT", "$0 = @1 #0 @2;"},
    {"setp", "lt|le|gt|ge =u16|u32|u64|s16|s32|s64|f32|f64", "q, sT, sT", "$0 = @1 #0 @2;"},
    {"setp", "lo|ls|hi|hs =u16|u32|u64", "q, sT, sT", "$0 = @1 #0 @2;"},
    {"selp", "=b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64", "dT, sT, sT, p", "$0 = $3 ? $1 : $2;"},
    {"bra", "?uni", "-", "!bra"},
};

std::vector<ptx_form> &ptx_forms() {
    static std::vector<ptx_form> all(std::begin(CORE), std::end(CORE));
    return all;
}
