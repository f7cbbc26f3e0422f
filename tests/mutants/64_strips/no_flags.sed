# error
# no_flags - no element asks for its strip
s/again |= must_repeat(value\[j\]);/;/
