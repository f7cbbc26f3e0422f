# error at n = 385
s/for (int d = 0; d <= SLICES; d++)/for (int d = 0; d < SLICES; d++)/
