# expect 81: 0/8 2, 4: plain, any shape: .*was stopped: not done after
# full
# with SECONDS=2
# The plain product never ends: after three tests that had to be stopped, no more are run.
s/^    dim3 grid = grid_of(c)/    while (which == PLAIN)\n        grid_of(c);\n&/
