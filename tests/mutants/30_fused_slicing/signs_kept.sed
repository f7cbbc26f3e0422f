# error
# signs_kept - magnitudes keep their signs
s/__vabs4(\(words\[.\]\[0\]\))/\1/g
