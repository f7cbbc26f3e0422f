# expect 73: student.cl cannot be observed: .* does not compile: student.cl:10:\d+: error
# file student.cl
# full
s/int sum = 0;/int2 none = (int2)(0, 0);\n    int sum = none.x;/
