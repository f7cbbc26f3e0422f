# error
# first_piece_alone - of a sub-tile in pieces the first one is computed four times
s|i % PIECES \* PIECE|0 * PIECE|
