# expect 85: words are stored for the \d+ elements of C: each is written once
# full
/nobody needs them any more/i\        Matrix block_c = block_of(c, blockIdx.y, blockIdx.x);\n        if (y < block_c.height \&\& x < block_c.width)\n            set(block_c, y, x, sum);
