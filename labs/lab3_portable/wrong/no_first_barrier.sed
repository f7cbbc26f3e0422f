# expect 24: shared race
/the tiles are complete/d
