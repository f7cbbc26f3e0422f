# expect 65: 0/15 no race, no access outside, the launch is checked: 32 x 32 x 32: every element is never written
# full
s/^    size_t bytes_a/    if (m == n)\n        return;\n&/
