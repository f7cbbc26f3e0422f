# expect 0: call.cu:\d+: undefined reference to .multiply': was it renamed or deleted, or is it without extern "C"\?
# gpu 0: undefined reference to .multiply
# full
s/^extern "C" void multiply/void multiply/
