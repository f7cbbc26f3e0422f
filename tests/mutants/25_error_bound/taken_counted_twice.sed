# error
# taken_counted_twice - a block takes every second of what comes next
s/atomicAdd(&o.found->taken, 1)/atomicAdd(\&o.found->taken, 2)/
