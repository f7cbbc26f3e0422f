# plot.gp - speed and error over n, from the benchmark's CSV: gnuplot -e "csv='FILE'; out='DIR'" bench/plot.gp
set datafile separator ","
set terminal svg size 900,820 font "sans-serif,13" background "white"
unset key
set grid
set logscale x 2
set xtics (64, 128, 256, 512, 1000, 2048, 4096, 8192, 16384)
set xrange [60:17500]
set rmargin 22
set xlabel "n"
colours = "#4477aa #66ccee #228833 #ccbb44 #aa8822 #ee8866 #ee6677 #aa3377 #884499 #223366"
greys = "black gray40 gray60"
steps = system(sprintf("grep '^[0-9]' '%s' | cut -d, -f1 | sort -u | tr '\\n' ' '", csv))
libraries = system(sprintf("grep '^cublas' '%s' | cut -d, -f1 | sort -u | tr '\\n' ' '", csv))
device = system(sprintf("sed -n 's/^# device[^:]*: \\([^,]*\\),.*/\\1/p' '%s'", csv))
rows(name) = sprintf("< grep '^%s,' '%s'", name, csv)
colour(i) = word(colours, 1 + (i - 1) % words(colours))
wide(i) = i % 2 ? 5 : 1.5 # in turn, so that a curve below another is seen

# The values' range, with room above and below; two names need a 42nd of it.
stats sprintf("< grep '^[0-9c]' '%s'", csv) using 7 name "SPEED" nooutput
stats sprintf("< grep '^[0-9c]' '%s'", csv) using 10 name "ERROR" nooutput
set logscale y 10
margin(low, high) = (high / low) ** 0.07
apart(low, high) = (high / low) ** (1.14 / 42)

# Names stand at the curves' ends, pushed apart until each has room. Of each: name, n of the last point, its value, the
# name's height; ratio: of two neighbours' heights, at least; low, high: of all.
ends(column, ratio, low, high) = system(sprintf("awk -F, -v column=%d -v ratio=%g -v low=%g -v high=%g '\
    /^[0-9a-z_]+,[0-9]+,/ && $2 + 0 >= last[$1] { last[$1] = $2 + 0; value[$1] = $column }\
    END {\
        for (name in value) {\
            for (i = ++count; i > 1 && value[order[i - 1]] + 0 > value[name] + 0 || value[order[i - 1]] == value[name] && order[i - 1] > name; i--) order[i] = order[i - 1];\
            order[i] = name }\
        for (i = 1; i <= count; i++) height[i] = log(value[order[i]]);\
        for (turn = 0; turn < 2000; turn++) {\
            if (height[1] < log(low)) height[1] = log(low);\
            if (height[count] > log(high)) height[count] = log(high);\
            for (i = 1; i < count; i++)\
                if ((miss = log(ratio) - height[i + 1] + height[i]) > 0) { height[i] -= miss / 2; height[i + 1] += miss / 2 } }\
        for (i = 1; i <= count; i++) print order[i], last[order[i]], value[order[i]], exp(height[i]) }' '%s'", column, ratio, low, high, csv))
name_ends = "do for [i = 1:words(list) / 4] {\
    set arrow i from word(list, 4 * i - 2), word(list, 4 * i - 1) to graph 1.03, first word(list, 4 * i) nohead lw 0.7 lc rgb 'gray50';\
    set label i word(list, 4 * i - 3) at graph 1.04, first word(list, 4 * i) noenhanced }"

set output out . "/bench_speed.svg"
set title device . ": speed of the kernel (2 n^3 operations / median time)" noenhanced
set ylabel "speed, TFLOP/s"
set yrange [SPEED_min / margin(SPEED_min, SPEED_max):SPEED_max * margin(SPEED_min, SPEED_max)]
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
list = ends(7, apart(SPEED_min, SPEED_max), SPEED_min / margin(SPEED_min, SPEED_max), SPEED_max * margin(SPEED_min, SPEED_max))
eval(name_ends)
plot for [i = 1:words(steps)] rows(word(steps, i)) using 2:7 with linespoints lw wide(i) pt 7 ps 0.6 lc rgb colour(i), \
     for [i = 1:words(libraries)] rows(word(libraries, i)) using 2:7 with linespoints lw 2 dt 2 pt 6 ps 0.6 lc rgb word(greys, i)

set output out . "/bench_error.svg"
set title device . ": largest relative error against an fp64 product, uniform inputs" noenhanced
set ylabel "largest relative error"
set yrange [ERROR_min / margin(ERROR_min, ERROR_max) ** 4:ERROR_max * margin(ERROR_min, ERROR_max)]
set ytics auto
set format y "10^{%T}"
list = ends(10, apart(ERROR_min, ERROR_max), ERROR_min / margin(ERROR_min, ERROR_max) ** 4, ERROR_max * margin(ERROR_min, ERROR_max))
unset arrow
eval(name_ends)
set label 100 "the error bound of steps 03 on: 1e-6" at 70, 1.3e-6 textcolor rgb "red"
plot for [i = 1:words(steps)] rows(word(steps, i)) using 2:10 with linespoints lw wide(i) pt 7 ps 0.6 lc rgb colour(i), \
     for [i = 1:words(libraries)] rows(word(libraries, i)) using 2:10 with linespoints lw 2 dt 2 pt 6 ps 0.6 lc rgb word(greys, i), \
     1e-6 with lines lw 1 dt 3 lc rgb "red"
