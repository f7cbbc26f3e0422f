# error
# magnitudes_with_signs - what is restored has its signs
s/__vabs4(x\.\([xyzw]\))/x.\1/g
