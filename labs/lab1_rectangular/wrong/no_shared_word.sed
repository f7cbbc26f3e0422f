# expect 0: no race.*: unset variable: .*; its threads meet at barriers, and read nothing from shared memory: is a __shared__ missing\?
# gpu 0: is a __shared__ missing\?
s/__shared__ ELEMENT tile_a/ELEMENT tile_a/
