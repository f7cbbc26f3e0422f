# expect 88: 0/7 product 1: .*one launch stays one launch
# full
s/^    kernel1<<<.*/&\n&/
