# expect 0: wrote outside of C
s/c, device_c, bytes_c,/c, device_c, bytes_c + sizeof *c,/
s/&device_c, bytes_c)/\&device_c, bytes_c + sizeof *c)/
