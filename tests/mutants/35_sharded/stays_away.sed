# hang: waits in ncclBroadcast
# stays_away - a rank without rows needs no columns, but the others wait for it
/float \*b = gather_columns(r, s->b, /i\    if (s->count == 0)\n        return;
