# error at n = 385
# good_by_sign - an element is good whatever its bound
s/return !must_repeat(value) \&\& .*/return !must_repeat(value);/
