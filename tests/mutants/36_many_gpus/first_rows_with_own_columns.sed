# error at n = 385
# first_rows_with_own_columns - the first rows are multiplied with the rank's own columns alone
s/for (int i = 0; i < r->count; i++) {/for (int i = 0; i < 1; i++) {/
