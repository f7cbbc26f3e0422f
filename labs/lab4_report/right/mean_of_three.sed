# expect 100: 14/14 tiles
/launch(kernel, device_a/s/^/    for (int i = 0; i < 3; i++)\n    /
s/return milliseconds;/return milliseconds \/ 3;/
