# error
# one_element_asked - of the elements of a thread only the first one is asked
s/for (int i = 0; i < TM \* TN; i++)/for (int i = 0; i < 1; i++)/
