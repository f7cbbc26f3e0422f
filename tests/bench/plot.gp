# plot.gp - speed and error over n, from the benchmark's CSV: gnuplot -e "csv='FILE'; out='DIR'" tests/bench/plot.gp
set datafile separator ","
set terminal svg size 900,560 font "sans-serif,13" background "white"
set key outside right top
set grid
set logscale x 2
set xtics (1024, 2048, 4096, 8192, 16384)
set xrange [900:18000]
set xlabel "n"
colours = "#4477aa #66ccee #228833 #88aa22 #ccbb44 #ee8866 #ee6677 #aa3377 #884499 #223366"
steps = system(sprintf("grep '^[0-9]' '%s' | cut -d, -f1 | sort -u | tr '\\n' ' '", csv))
libraries = system(sprintf("grep '^cublas' '%s' | cut -d, -f1 | sort -u | tr '\\n' ' '", csv))
device = system(sprintf("sed -n 's/^# device[^:]*: \\([^,]*\\),.*/\\1/p' '%s'", csv))
rows(name) = sprintf("< grep '^%s,' '%s'", name, csv)

set output out . "/bench_speed.svg"
set title device . ": speed of the kernel (2 n^3 operations), median" noenhanced
set ylabel "TFLOP/s"
set logscale y
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500)
plot for [i = 1:words(steps)] rows(word(steps, i)) using 2:7 with linespoints lw 2 pt 7 ps 0.6 lc rgb word(colours, 1 + (i - 1) % words(colours)) title word(steps, i) noenhanced, \
     for [i = 1:words(libraries)] rows(word(libraries, i)) using 2:7 with linespoints lw 2 dt 2 pt 6 ps 0.6 lc rgb word("black gray40 gray70", i) title word(libraries, i) noenhanced

set output out . "/bench_error.svg"
set title device . ": largest relative error against an fp64 product, uniform inputs" noenhanced
set ylabel "largest relative error"
set ytics auto
set format y "10^{%T}"
plot for [i = 1:words(steps)] rows(word(steps, i)) using 2:13 with linespoints lw 2 pt 7 ps 0.6 lc rgb word(colours, 1 + (i - 1) % words(colours)) title word(steps, i) noenhanced, \
     for [i = 1:words(libraries)] rows(word(libraries, i)) using 2:13 with linespoints lw 2 dt 2 pt 6 ps 0.6 lc rgb word("black gray40 gray70", i) title word(libraries, i) noenhanced, \
     1e-6 with lines lw 1 dt 3 lc rgb "red" title "error bound: 1e-6"
