# expect 96: sizes: three in the range: .*read_sizes wrote outside of the three sizes
# full
s/^    return 0;/    sizes[3] = 0;\n    return 0;/
