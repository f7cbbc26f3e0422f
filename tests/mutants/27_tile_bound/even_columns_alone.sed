# error early
# even_columns_alone - the smallest sum is looked for in even columns
s/if (scale_b\[l\] > 0)/if (l == 0 \&\& scale_b[l] > 0)/
