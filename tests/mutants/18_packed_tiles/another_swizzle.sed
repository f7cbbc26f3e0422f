# error
# another_swizzle - device memory has another swizzle than stages
s|swizzle(vector, k % BK / 16)|swizzle(vector / 2, k % BK / 16)|
