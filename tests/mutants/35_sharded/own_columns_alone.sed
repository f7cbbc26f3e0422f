# error
# own_columns_alone - what is computed in double takes this rank's columns for all of B
/^static void recompute_shard/,/^}/s/o.matrix_b = b;/o.matrix_b = s->b;/
