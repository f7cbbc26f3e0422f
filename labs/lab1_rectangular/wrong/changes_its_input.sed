# expect 0: changed the input A
# full
s/^    size_t bytes_a/    ((ELEMENT *)a)[0] += 1;\n&/
