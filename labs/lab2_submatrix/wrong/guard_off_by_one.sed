# expect 0: x
s/if (y < block_c.height && x < block_c.width)/if (y <= block_c.height \&\& x <= block_c.width)/
