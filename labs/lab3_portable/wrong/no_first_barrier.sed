# expect 36: shared race
# full
/the tiles are complete/d
