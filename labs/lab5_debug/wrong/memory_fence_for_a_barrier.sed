# expect 88: 0/7 product 6: .*shared race
# full
/==== 6:/,/==== 7:/ {
  /sum += /{n;s/__syncthreads/__threadfence_block/;}
}
