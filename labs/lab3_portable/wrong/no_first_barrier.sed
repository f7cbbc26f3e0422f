# expect 20: shared race
/the tiles are complete/d
