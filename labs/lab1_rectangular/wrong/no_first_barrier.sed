# expect 0: race
# full
/the tiles are complete/d
