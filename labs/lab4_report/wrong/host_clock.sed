# expect 68: longer than the whole calls
# full
s/^    return milliseconds;/    return 1000 * milliseconds + 10000;/
