# own_columns_alone - strips in double take this rank's columns for all of B: a planted fault. The suite must reject it.
/p\.b = b;/d
