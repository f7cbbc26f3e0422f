# expect 87: 0/8 product 3: .*the last term of each sum, that of k - 1, is left out
# full
/==== 3:/,/==== 4:/ s/first + x < k ?/first + x < k - 1 ?/
