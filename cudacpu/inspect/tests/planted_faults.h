/* planted_faults.h - the faults of cudacpu/inspect/tests that inspect must find, each beside a twin
 * without it. */
#ifndef PLANTED_FAULTS_H
#define PLANTED_FAULTS_H

/* The name of each fault in cudacpu/inspect/tests/faults.cu, and the kind that is reported on its
 * line. */
static const struct {
    const char *name, *kind;
} EXPECTED[] = {
    {"shared_race", "shared race"},
    {"warp_race", "shared race"},
    {"global_race", "global race"},
    {"global_race_read", "global race"},
    {"past_the_end", "out of bounds"},
    {"far_past_the_end", "out of bounds"},
    {"past_shared", "out of bounds"},
    {"past_tile", "out of bounds"},
    {"padding", "uninitialised read"},
    {"uninitialised_shared", "uninitialised read"},
    {"uninitialised_global", "uninitialised read"},
    {"unwritten_member", "uninitialised read"},
#if __has_builtin(__builtin_clear_padding) /* the compiler knows which words are padding */
    {"unwritten_16", "uninitialised read"},
    {"unwritten_24", "uninitialised read"},
    {"unwritten_40", "uninitialised read"},
#endif
    {"misaligned", "misaligned"},
    {"divergent_barrier", "divergent barrier"},
    {"different_barriers", "divergent barrier"},
    {"early_return", "divergent barrier"},
    {"unchecked_launch", "unchecked launch error"},
    {"not_freed", "memory not freed"},
};

/* The same of cudacpu/inspect/tests/PROGRAM.cu, found whenever an asynchronous effect happens. */
static const struct {
    const char *program, *name, *kind;
} EXPECTED_ASYNC[] = {
    {"async_faults", "unwaited_copy", "unwaited copy"},
    {"async_faults", "wait_group_too_few", "unwaited copy"},
    {"async_faults", "wait_prior_too_few", "unwaited copy"},
    {"async_faults", "copy_without_barrier", "shared race"},
    {"async_faults", "overwritten_stage", "stage overwritten"},
    {"async_faults", "copy_on_mbarrier", "unwaited copy"},
    {"async_faults", "unwaited_bulk", "unwaited copy"},
    {"async_faults", "expects_too_much", "expected bytes"},
    {"async_faults", "expects_too_little", "expected bytes"},
    {"async_faults", "wrong_parity", "wrong parity"},
    {"async_faults", "before_init", "wrong mbarrier"},
    {"async_faults", "no_init_fence", "missing fence"},
    {"async_faults", "no_fence_for_copies", "missing fence"},
    {"async_faults", "no_proxy_fence", "missing fence"},
    {"async_faults", "overwritten_source", "stage overwritten"},
    {"async_faults", "overwritten_by_bulk", "stage overwritten"},
    {"async_faults", "bulk_size", "wrong size"},
    {"async_faults", "bulk_alignment", "misaligned"},
    {"async_faults", "ends_too_early", "block is not there"},
#ifndef __clang__ /* shows no accesses of an array that stays in its function */
    {"async_faults", "unwaited_sums", "unwaited wgmma"},
    {"async_faults", "no_second_fence", "missing fence"},
#endif
    {"async_faults", "no_wgmma_fence", "missing fence"},
    {"async_faults", "operands_without_fence", "missing fence"},
    {"async_faults", "overwritten_operands", "stage overwritten"},
    {"async_faults", "three_warps", "divergent warpgroup"},
    {"descriptor_faults", "descriptor_too_far", "out of bounds"},
    {"descriptor_faults", "descriptor_out_of_variable", "out of bounds"},
    {"descriptor_faults", "swizzle_base", "wrong swizzle"},
    {"descriptor_faults", "swizzle_stride", "wrong swizzle"},
    {"descriptor_faults", "rows_twice", "wrong swizzle"},
    {"order_faults", "arrival_learns", "shared race"},
    {"order_faults", "after_arrival", "shared race"},
    {"order_faults", "third_reader", "shared race"},
    {"order_faults", "third_warp", "stage overwritten"},
    {"order_faults", "many_barriers", "unwaited copy"},
    {"order_faults", "pipeline_arrival", "unwaited copy"},
    {"order_faults", "returned_structure", "shared race"},
    {"order_faults", "returned_member", "shared race"},
    {"order_faults", "passed_structure", "shared race"},
    {"order_faults", "passed_unwritten", "uninitialised read"},
    {"fence_faults", "last_block", "global race"},
    {"fence_faults", "after_fence", "global race"},
    {"fence_faults", "other_threads", "global race"},
    {"fence_faults", "lock", "global race"},
    {"fence_faults", "lock_of_threads", "global race"},
    {"fence_faults", "flag", "global race"},
    {"fence_faults", "flag_of_flag", "global race"},
    {"fence_faults", "shared_flag", "shared race"},
    {"fence_faults", "exchange", "global race"},
    {"fence_faults", "failed_exchange", "global race"},
    {"fence_faults", "equal_values", "global race"},
    {"fence_faults", "record_values", "global race"},
    {"fence_faults", "heap", "out of bounds"},
    {"host_faults", "from_malloc", "out of bounds"},
    {"host_faults", "to_malloc", "out of bounds"},
    {"host_faults", "to_calloc", "out of bounds"},
    {"host_faults", "to_realloc", "out of bounds"},
    {"host_faults", "to_aligned", "out of bounds"},
    {"host_faults", "to_new", "out of bounds"},
    {"host_faults", "from_vector", "out of bounds"},
    {"host_faults", "from_middle", "out of bounds"},
    {"host_faults", "from_static", "out of bounds"},
    {"host_faults", "from_member", "out of bounds"},
    {"host_faults", "from_pinned", "out of bounds"},
    {"host_faults", "to_rows", "out of bounds"},
    {"host_faults", "from_grown", "out of bounds"},
#if __has_builtin(__builtin_clear_padding)
    {"host_faults", "to_structures", "uninitialised read"},
    {"host_faults", "managed_sum", "uninitialised read"},
    {"host_faults", "managed_exchange", "uninitialised read"},
    {"host_faults", "pinned_read", "uninitialised read"},
    {"host_faults", "managed_bytes", "uninitialised read"},
#endif
    {"shared_faults", "past_static", "out of bounds"},
    {"shared_faults", "far_past_static", "out of bounds"},
    {"shared_faults", "before_static", "out of bounds"},
    {"shared_faults", "others_static", "out of bounds"},
    {"shared_faults", "add_past_static", "out of bounds"},
    {"shared_faults", "exchange_past_static", "out of bounds"},
    {"shared_faults", "far_past_dynamic", "out of bounds"},
    {"shared_faults", "before_dynamic", "out of bounds"},
    {"shared_faults", "copy_past_static", "out of bounds"},
    {"shared_faults", "read_far", "out of bounds"},
    {"shared_faults", "past_device", "out of bounds"},
};

#endif
