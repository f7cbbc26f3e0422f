# expect 96: 130x
# What follows the digits is ignored.
s/strspn(argv\[i + 1\], "0123456789") != strlen(argv\[i + 1\]) || //
