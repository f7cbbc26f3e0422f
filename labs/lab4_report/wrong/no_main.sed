# expect 77: sizes: three in the range: there is no main: was it renamed or deleted\?
/^int main/d
