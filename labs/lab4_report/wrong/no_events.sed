# expect 68: multiply_tiled's times are not those of its kernel: at \d+ and \d+ they are not above 0
/cudaEvent/d
