# expect 12: product 3 starts kernel1 and not kernel3
s/kernel[2-8]<<</kernel1<<</
