# expect 68: longer than the whole calls
s/^    return milliseconds;/    return 1000 * milliseconds + 10000;/
