# expect 94: 2, 4: plain, drawn shapes: .*uniform inputs: .*wrong
/plain_kernel(Matrix/,/^}/s/ELEMENT sum/int sum/
