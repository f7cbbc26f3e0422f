# expect 53: out of bounds: .* past the .* bytes of device_c
# gpu 65: out of bounds: .* past the .* bytes of device_c
s/if (y < block_c.height && x < block_c.width)/if (y <= block_c.height \&\& x <= block_c.width)/
