# expect 97: 0/3 sizes: too few: without arguments: crashed \(SIGSEGV\)
s/^    if (argc != 4) {/    if (atoi(argv[1]) == 0 || argc != 4) {/
