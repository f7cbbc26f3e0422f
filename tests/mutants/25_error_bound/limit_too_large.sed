# error
# limit_too_large - an error of 1.2e-6 is within the limit
s/0.85e-6f/1.2e-6f/
