# expect 36: undefined reference to .multiply.: was it renamed or deleted
# full
s/^extern "C" void multiply/void multiply/
