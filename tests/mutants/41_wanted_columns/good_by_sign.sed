# good_by_sign - an element is good whatever its bound: a planted fault. The suite must reject it.
s/return !must_repeat(value) \&\& .*/return !must_repeat(value);/
