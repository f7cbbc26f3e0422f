# expect 27: shared race
/the tiles are complete/d
