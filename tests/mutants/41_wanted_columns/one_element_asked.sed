# one_element_asked - of the elements of a thread only the first one is asked: a planted fault. The suite must reject it.
s/for (int i = 0; i < TM \* TN; i++)/for (int i = 0; i < 1; i++)/
