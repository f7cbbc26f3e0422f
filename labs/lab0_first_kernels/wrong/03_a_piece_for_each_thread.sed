# expect 0: \d\d+ sectors loaded, 1250 needed.*side by side
# file task03_copy.cu
s/int i = thread; i < n; i += threads/int i = thread * ((n + threads - 1) \/ threads), last = i + (n + threads - 1) \/ threads; i < n \&\& i < last; i++/
