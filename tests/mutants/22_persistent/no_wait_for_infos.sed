# error
# no_wait_for_infos - the vector_infos are not waited for
s/last ? sizeof \*s : 2 \* TILE_BYTES/2 * TILE_BYTES/
