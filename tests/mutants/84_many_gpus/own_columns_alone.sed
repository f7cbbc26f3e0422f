# error
# own_columns_alone - strips in double take this rank's columns for all of B
/p\.b = b;/d
