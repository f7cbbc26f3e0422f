# expect 90: crashed \(SIGSEGV\)
/multiply_serial/,/^}/s/ = sum;/ = *(double *)8;/
