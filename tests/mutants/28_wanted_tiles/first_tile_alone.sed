# first_tile_alone - a pair is left out if its upper tile is not wanted: a planted fault. The suite must reject it.
s/(flags\[0\] | (row + TILE < rows ? flags\[1\] : 0))/flags[0]/
