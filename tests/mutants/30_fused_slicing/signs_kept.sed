# error
# signs_kept - one word of a segment's magnitudes keeps its signs
s/__vabs4(words\[3\]\[0\])/words[3][0]/
