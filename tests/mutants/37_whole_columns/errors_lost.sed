# errors_lost - the squares of the errors of rounding are not added: a planted fault. The suite must reject it.
s/for (int d = 0; d <= SLICES; d++)/for (int d = 0; d < SLICES; d++)/
