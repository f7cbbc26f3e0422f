# expect 53: 17 of 561 elements are not a number \(NaN\), all in row 32
# full
# Not a number in the last row of the product with tiles.
s/^        set(block_c, y, x, sum);/        set(block_c, y, x, blockIdx.y * BLOCK + y == c.height - 1 ? (ELEMENT)NAN : sum);/
