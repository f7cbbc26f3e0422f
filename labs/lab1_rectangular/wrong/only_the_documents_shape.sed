# expect 5: never written
s/^    size_t bytes_a/    if (m != 200 || n != 500 || k != 400) return;\n&/
