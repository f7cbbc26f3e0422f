# plot.gp - time over size and over block, with the document's figures dashed:
# gnuplot -e "mine='results.csv'; document='document.csv'; out='DIRECTORY'; max=1024" plot.gp
set datafile separator ","
set terminal svg size 900,540 font "sans-serif,13" background "white"
set key outside right top
set grid
set logscale xy
set ylabel "milliseconds"
kernels = "serial global tiled rows"
colours = "#444444 #4477aa #228833 #ee6677"
rows(file, name, block) = sprintf("< grep '^%s,%s,' '%s' | sort -t , -k 3n", name, block, file)
blocks(file, name, size) = sprintf("< grep '^%s,[0-9]*,%d,' '%s' | sort -t , -k 2n", name, size, file)
block(name) = name eq "serial" ? "1" : "16"

set output out . "/sizes.svg"
set xlabel "size of the matrices (square), blocks of 16 x 16"
set xtics (128, 256, 512, 1024, 2048)
set xrange [110:2400]
plot for [i = 1:4] rows(mine, word(kernels, i), block(word(kernels, i))) using 3:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb word(colours, i) title word(kernels, i), \
     for [i = 1:4] rows(document, word(kernels, i), block(word(kernels, i))) using 3:4 with linespoints lw 1 dt 2 pt 6 ps 0.6 lc rgb word(colours, i) title word(kernels, i) . ", the document"

set output out . "/blocks.svg"
set xlabel sprintf("block: x by x threads; matrices of %d, the document's of 2048", max)
set xtics (8, 16, 32)
set xrange [7:37]
plot for [i = 2:4] blocks(mine, word(kernels, i), max) using 2:4 with linespoints lw 2 pt 7 ps 0.6 lc rgb word(colours, i) title word(kernels, i), \
     for [i = 2:3] blocks(document, word(kernels, i), 2048) using 2:4 with linespoints lw 1 dt 2 pt 6 ps 0.6 lc rgb word(colours, i) title word(kernels, i) . ", the document"
