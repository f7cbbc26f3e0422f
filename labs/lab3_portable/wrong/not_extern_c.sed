# expect 36: undefined reference to .multiply
# full
s/^extern "C" void multiply/void multiply/
