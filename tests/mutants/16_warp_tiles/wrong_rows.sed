# error
# wrong_rows - stores each 16 rows eight too high
s/i \/ 16 \* 16/i \/ 16 * 8/
