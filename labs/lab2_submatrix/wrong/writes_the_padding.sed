# expect 53: bytes between the rows of a matrix on the device
# gpu 65: bytes between the rows of a matrix on the device
s/if (y < block_c.height && x < block_c.width)/if (y < block_c.height)/
