# error
# half_a_stage - half of each tile is not copied
s/i < TILE_BYTES; i += 16 \* THREADS/i < TILE_BYTES \/ 2; i += 16 * THREADS/
