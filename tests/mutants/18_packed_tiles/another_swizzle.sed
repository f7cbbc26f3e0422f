# error
# another_swizzle - device memory has another swizzle than stages
s/swizzle((unsigned)row, /swizzle((unsigned)row \/ 2, /
