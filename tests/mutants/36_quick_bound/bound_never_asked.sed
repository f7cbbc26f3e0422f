# bound_never_asked - the worst bound is not held against the sums: a planted fault. The suite must reject it.
s/bool enough = !must_repeat(largest);/return __all_sync(~0u, !must_repeat(largest)); bool enough = true;/
