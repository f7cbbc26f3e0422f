# expect 0: x
/__syncthreads(); \/\* the tiles are complete/d
