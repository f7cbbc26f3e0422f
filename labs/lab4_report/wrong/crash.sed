# expect 90: crashed \(SIGSEGV\)
# full
/multiply_serial/,/^}/s/ = sum;/ = *(double *)8;/
