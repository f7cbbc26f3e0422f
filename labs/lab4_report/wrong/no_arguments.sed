# expect 97: 0/3 sizes: too few: without arguments: exit status 1, expected 2; .*host code read address \(nil\)
# gpu 97: crashed \(SIGSEGV\)
s/^    if (argc != 4) {/    if (atoi(argv[1]) == 0 || argc != 4) {/
