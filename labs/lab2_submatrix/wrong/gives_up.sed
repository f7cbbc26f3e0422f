# expect 16: ended with exit status 1 before it was done: Error: no device
# full
# It says so on stdout, before inspect's report.
s/^    dim3 grid = grid_of(c)/    printf("Error: no device\\nC has %d rows\\n", c.height);\n    exit(1);\n&/
