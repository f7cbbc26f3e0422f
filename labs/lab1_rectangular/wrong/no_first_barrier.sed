# expect 0: race
/the tiles are complete/d
