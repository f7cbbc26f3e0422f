# expect 81: its stderr does not have one line
s/fprintf(stderr, "%s: /printf("%s: /
