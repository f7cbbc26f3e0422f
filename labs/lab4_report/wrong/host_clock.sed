# expect 29: its kernel took
s/^    return milliseconds;/    return 1000 * milliseconds + 10000;/
