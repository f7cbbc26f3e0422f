# expect 100: ^
# The runtime has some of the library's symbols as well.
# full
1i #include <memory>
/^extern "C" void multiply/,/^}/s/^    dim3 block/    auto one = std::make_shared<int>(m);\n    if (*one != m)\n        exit(1);\n&/
