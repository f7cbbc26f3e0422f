# hang: 8 of 16 arrivals missing
# skips_and_keeps - a warpgroup that lets a part go by does not free its stages
/skip(pipeline/,/^}/s/release(pipe, pipe->index);//
