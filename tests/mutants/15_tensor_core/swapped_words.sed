# error
# swapped_words - exchanges two words of A's fragment
s/y + i % 2 \* 8/y + i \/ 2 * 8/; s/l + i \/ 2 \* 4/l + i % 2 * 4/
