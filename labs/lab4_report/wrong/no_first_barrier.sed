# expect 61: race: line
/the tiles are complete/d
