# ladder.gp - the ladder in percent of cuBLAS, from the benchmark's CSV: gnuplot -e "csv='FILE'; out='DIR'" bench/ladder.gp
set datafile separator ","
set output out . "/bench_ladder.svg"
device = system(sprintf("sed -n 's/^# device[^:]*: \\([^,]*\\),.*/\\1/p' '%s'", csv))
# The steps in their order; n of a line is its second field, the part of cuBLAS its eighth.
steps(n) = sprintf("< grep '^[0-9][^,]*,%d,' '%s' | sort", n, csv)
large = 8192
small = 1000
least = 1 # percent, where the bars begin
stats steps(large) using 8 name "STEPS" nooutput
set terminal svg size 900,100+28*STEPS_records font "sans-serif,13" background "white"
set title device . ": speed of each step's kernel in percent of cuBLAS SGEMM" noenhanced
set xlabel "percent of cuBLAS SGEMM (logarithmic)"
set logscale x 10
set xrange [least:1100]
set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
set yrange [STEPS_records - 0.4:-0.6]
set ytics noenhanced scale 0
set grid xtics
set key top right reverse Left width 2
set style fill solid 0.8 noborder
percent(value) = sprintf(value < 0.1 ? "%.1f" : "%.0f", 100 * value)
plot steps(large) using (100 * $8):0:(least):(100 * $8):($0 - 0.35):($0 + 0.35):ytic(1) with boxxyerror lc rgb "#4477aa" title sprintf("n = %d", large), \
     steps(large) using (1.1 * least):0:(percent($8)) with labels left textcolor rgb "white" notitle, \
     steps(small) using (100 * $8):0 with points pt 7 ps 0.8 lc rgb "#ee6677" title sprintf("n = %d", small), \
     "+" using (100):(-0.6 + $0) with lines lw 1.5 dt 2 lc rgb "black" title "cuBLAS SGEMM"
