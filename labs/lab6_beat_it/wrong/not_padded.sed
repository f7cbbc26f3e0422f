# expect 0: past
s/device_c, \&pitch, padded \* sizeof(float), padded/device_c, \&pitch, padded * sizeof(float), rows/
