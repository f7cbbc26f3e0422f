# no_flags - no element asks for its strip: a planted fault. The suite must reject it.
s/again |= must_repeat(value\[j\]);/;/
