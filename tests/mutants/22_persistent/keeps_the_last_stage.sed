# hang
# keeps_the_last_stage - the last stage of a tile is never released
/release(pipe, previous); \/\* the producer/d
