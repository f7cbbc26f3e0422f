# fault: -byte allocation
# both_warpgroups_store - the second warpgroup does not let its part go by
s/if (p.split && warpgroup > 0)/if (false)/
