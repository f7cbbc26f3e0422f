# no_flags - no element is rejected: a planted fault. The suite must reject it.
s/return !(bound <=/return 0 \&\& !(bound <=/
