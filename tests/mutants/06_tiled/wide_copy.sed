# error early
# wide_copy - one column too many is copied back
s/device_c, pitch_c, row_bytes,/device_c, pitch_c, row_bytes + (ldc > n ? sizeof(float) : 0),/
