# expect 0: gap
/device_c + row \* stride, pitch, row_bytes/s/row_bytes/row_bytes + (ldc > n ? sizeof(float) : 0)/
