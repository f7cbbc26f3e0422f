# error
# one_lane_s_columns - the worst column is looked for in each fourth alone
s/= threadIdx.x % 32; x < TILE; x += 32/= threadIdx.x % 32 \/ 4 * 4; x < TILE; x += 32/
