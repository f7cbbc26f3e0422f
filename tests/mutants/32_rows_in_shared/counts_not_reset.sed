# fault: which is in no allocation
# counts_not_reset - the counts are what is in memory
s/\*o.counts = {};/;/
