# expect 75: words are stored for the \d+ elements of C: each thread writes its own once
# full
/nobody needs them any more/i\        if (row < m \&\& column < n)\n            c[(size_t)row * n + column] = sum;
