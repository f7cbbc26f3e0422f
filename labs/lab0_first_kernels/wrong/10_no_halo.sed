# expect 0: uninitialised read
# file task10_stencil.cu
# full
/if (t == /{N;d}
