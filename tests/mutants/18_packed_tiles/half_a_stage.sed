# error
# half_a_stage - half of each piece is not copied
s/i < PIECE;/i < PIECE \/ 2;/
