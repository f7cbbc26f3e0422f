# expect 0: x
/__syncthreads(); \/\* nobody needs them/d
