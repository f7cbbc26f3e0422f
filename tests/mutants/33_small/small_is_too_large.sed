# error
# small_is_too_large - the small kernel does all
s/SMALL = 320/SMALL = 32000/
