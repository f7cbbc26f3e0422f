# ladder.gp - the ladder in percent of cuBLAS, from the benchmark's CSV: gnuplot -e "csv='FILE'; out='DIR'" tests/bench/ladder.gp
set datafile separator ","
set terminal svg size 900,520 font "sans-serif,13" background "white"
set output out . "/bench_ladder.svg"
device = system(sprintf("sed -n 's/^# device[^:]*: \\([^,]*\\),.*/\\1/p' '%s'", csv))
# The steps in their order; n of a line is its second field, the part of cuBLAS its eighth.
steps(n) = sprintf("< grep '^[0-9][^,]*,%d,' '%s' | sort", n, csv)
large = 8192
small = 1000
set title device . ": speed of each step's kernel in percent of cuBLAS SGEMM" noenhanced
set ylabel "percent of cuBLAS SGEMM (logarithmic)"
set logscale y 10
set yrange [1:2000]
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
set xtics rotate by -35 noenhanced
set xrange [-0.7:*]
set rmargin 6
set grid ytics
set key top left
set boxwidth 0.6
set style fill solid 0.8 noborder
percent(value) = sprintf(value < 0.1 ? "%.1f" : "%.0f", 100 * value)
plot steps(large) using 0:(100 * $8):xtic(1) with boxes lc rgb "#4477aa" title sprintf("n = %d", large), \
     steps(large) using 0:(118 * $8):(percent($8)) with labels notitle, \
     steps(small) using 0:(100 * $8) with points pt 7 ps 0.9 lc rgb "#ee6677" title sprintf("n = %d", small), \
     100 with lines lw 1.5 dt 2 lc rgb "black" title "cuBLAS SGEMM"
