#!/bin/bash
# article.sh [OUT.csv] - inspect at the article's n = 1000: the counts against those that ncu read (docs/results/inspect_ncu.csv),
# the model of the 8800GT against the article's seconds, and what observing costs. Status 1 when a count differs, when a
# total of steps 02 to 05 is off by more than 10 %, a kernel of 06 or 07 by more than 30 %, 07 is not below 06, a step
# has a fault, or a run takes more than 2 GB.
json=$(mktemp) || exit 1
trap 'rm -f "$json"' EXIT
bad=0
wrong() { echo "article.sh: $*" >&2; bad=1; }
value() { sed -E "s/.*$1([0-9.e+-]+).*/\1/" "$json"; } # the number after a pattern
rows="step,predicted_kernel_s,predicted_total_s,article_kernel_s,article_total_s,off_percent,observed_s,observed_MB"
before=
for step in 02_naive_cuda 03_kahan 04_row_shared 05_pitched 06_tiled 07_padded_noif; do
    "./$step/inspect" --json "$json" >/dev/null || wrong "$step: a fault, or a failure"
    for way in load store; do
        for count in requests sectors; do
            mine=$(sed -E "s/.*\"global\": \{(\"load\": \{[^}]*\}, )?\"$way\": \{([^}]*)\}.*/\2/; s/.*\"$count\": ([0-9]+).*/\1/" "$json")
            theirs=$(grep "^$step,1000,global $way $count," docs/results/inspect_ncu.csv | cut -d, -f4)
            [ -n "$theirs" ] && [ "$mine" = "$theirs" ] || wrong "$step: $mine $way $count, ncu counted ${theirs:-nothing}"
        done
    done
    total=$(sed -E 's/.*"8800GT": \{[^}]*"total_s": ([0-9.]+).*/\1/' "$json")
    kernel=$(sed -E 's/.*"8800GT": \{[^}]*"kernel_s": ([0-9.]+).*/\1/' "$json")
    article_kernel=$(sed -E 's/.*"article": \{"kernel_s": ([0-9.]+).*/\1/' "$json")
    article_total=$(sed -E 's/.*"article": \{[^}]*"total_s": ([0-9.]+).*/\1/' "$json")
    seconds=$(value '"observed_s": ') megabytes=$(value '"observed_MB": ')
    case $step in
    06* | 07*) off=$(awk "BEGIN { print 100 * ($kernel / $article_kernel - 1) }") limit=30 ;;
    *) off=$(awk "BEGIN { print 100 * ($total / $article_total - 1) }") limit=10 ;;
    esac
    awk "BEGIN { exit !($off <= $limit && $off >= -$limit) }" || wrong "$step: the model is off by $off %"
    awk "BEGIN { exit !($megabytes < 2000) }" || wrong "$step: observing took $megabytes MB"
    [ $step = 07_padded_noif ] && { awk "BEGIN { exit !($kernel < $before) }" || wrong "07 is predicted slower than 06"; }
    before=$kernel
    rows+=$'\n'"$step,$kernel,$total,$article_kernel,$article_total,$off,$seconds,$megabytes"
done
[ $# -eq 0 ] || exec >"$1"
printf '%s\n' "$rows"
exit $bad
