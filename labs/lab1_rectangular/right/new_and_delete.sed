# expect 100: 15/15 tiles are used
# What the C++ library allocates, and frees, beside what new[] gives; free() and delete do for it what delete[] does.
1i #include <memory>\
#include <new>\
#include <string>\
#include <vector>
/^extern "C" void multiply/,/^}/s/^    size_t bytes_a/    struct named {\n        std::string name;\n        ~named() { name += "x"; }\n    };\n    named *all = new named[5];\n    for (int i = 0; i < 5; i++)\n        all[i].name = std::string(100, 'a');\n    delete[] all;\n    std::unique_ptr<int[]> own(new int[77]);\n    own[76] = 1;\n    std::vector<std::vector<int>> rows(9, std::vector<int>(9));\n    std::string text;\n    for (int i = 0; i < 3000; i++)\n        text += "text";\n    delete[] new (std::nothrow) int[8];\n    free(malloc(0));\n    for (int i = 0; i < 9; i++)\n        free(strdup(""));\n    int *one = new int[8];\n    free(one);\n&/
1i #include <stdlib.h>\
#include <string.h>
