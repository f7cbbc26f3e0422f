# wide_copy - one column too many is copied back: a planted fault. The suite must reject it.
s/device_c, pitch_c, row_bytes,/device_c, pitch_c, row_bytes + (ldc > n ? sizeof(float) : 0),/
