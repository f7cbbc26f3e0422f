# error
# maxima_overwritten - a thread stores its largest element over those of the others
s/atomicMax(&largest\[x\], bits)/largest[x] = bits/
