# fault: wrote 1 byte past a
# rows_too_far - the second four rows of a thread are 64 rows on, not 16
s/i \/ 4 \* 16, to_column/i \/ 4 * 64, to_column/
