# expect 75: compiled with TILE=16 .*words are loaded
7,$s/\bTILE\b/32/g
