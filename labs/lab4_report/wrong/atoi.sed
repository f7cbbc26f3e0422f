# expect 94: 130x
s/char \*end;/const char *end = "";/
s/strtol(argv\[i + 1\], &end, 10)/atoi(argv[i + 1])/
s/end == argv\[i + 1\] || //
