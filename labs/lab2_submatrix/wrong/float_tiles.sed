# expect 90: compiled with TILE=32 and ELEMENT=double, .*uniform inputs: every element is wrong
s/__shared__ ELEMENT/__shared__ float/
