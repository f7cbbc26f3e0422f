# expect 36: undefined reference to .multiply
s/^extern "C" void multiply/void multiply/
