# not_again - leaves what must be computed again: a planted fault. The suite must reject it.
s/again && i < WM/0 \&\& i < WM/
