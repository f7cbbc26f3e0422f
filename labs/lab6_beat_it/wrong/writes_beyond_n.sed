# expect 0: gap
s/device_c, pitch_c, row_bytes,/device_c, pitch_c, row_bytes + (ldc > n ? sizeof(float) : 0),/
