# error
# squares_of_one_thread - of a row's norms only the first thread's part is kept
s/^    add_sums(&sums, own);/    if (threadIdx.x == 0) add_sums(\&sums, own);/
