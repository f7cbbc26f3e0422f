#!/bin/bash
# article.sh [OUT.csv] - inspect at the article's n = 1000, for the steps whose step.conf has
# article-total: the model of the 8800GT against the article's seconds, the counts against those that
# ncu read (docs/results/inspect_ncu.csv, for the steps that it names), and what observing costs.
#
# A step is judged by its total where the article's is at least 0.1 s, by its kernel where it is less:
# there the copies of the article's machine dominate, of which the model knows one figure for all
# steps. Status 1 when
# - a total is off by more than 10 %, or a kernel by more than 30 %;
# - two kernels are not in the article's order;
# - a count differs from ncu's, or none was compared;
# - a step has a fault, or a run takes more than 2 GB.
export CUDACPU_INSPECT_WHOLE=1 # exact counts, on a slow machine too
ncu_counts=docs/results/inspect_ncu.csv
json=$(mktemp) || exit 1
trap 'rm -f "$json"' EXIT
bad=0
wrong() { echo "article.sh: $*" >&2; bad=1; }
holds() { awk "BEGIN { exit !($1) }"; }
fact() { sed -nE "s/^[ \t]*$1[ \t]*=[ \t]*([^ \t#]+).*/\1/p" "$step/step.conf"; }
value() { sed -E "s/.*$1([0-9.e+-]+).*/\1/" "$json"; } # the number after a pattern
count_of() { # load or store, requests or sectors
    sed -E "s/.*\"global\": \{(\"load\": \{[^}]*\}, )?\"$1\": \{([^}]*)\}.*/\2/; s/.*\"$2\": ([0-9]+).*/\1/" "$json"
}
compare_counts() {
    if ! grep -q "^$step,1000," "$ncu_counts"; then
        echo "article.sh: $step: not compared, ncu has not counted it" >&2
        return
    fi
    for way in load store; do
        for count in requests sectors; do
            counted=$(count_of $way $count)
            by_ncu=$(grep "^$step,1000,global $way $count," "$ncu_counts" | cut -d, -f4)
            compared=$((compared + 1))
            [ "$counted" = "$by_ncu" ] || wrong "$step: $counted $way $count, ncu counted ${by_ncu:-nothing}"
        done
    done
}
judge() {
    if holds "$article_total >= 0.1"; then
        off=$(awk "BEGIN { print 100 * ($total / $article_total - 1) }") limit=10
    elif [ "$article_kernel" != 0 ]; then
        off=$(awk "BEGIN { print 100 * ($kernel / $article_kernel - 1) }") limit=30
    else
        wrong "$step: an article-total below 0.1 s needs an article-kernel in step.conf"
        return
    fi
    holds "$off <= $limit && $off >= -$limit" || wrong "$step: the model is off by $off %"
}
rows="step,predicted_kernel_s,predicted_total_s,article_kernel_s,article_total_s,off_percent,observed_s,observed_MB"
kernels= # of each step so far: name, article's seconds, the model's
judged=0 compared=0
for conf in */step.conf; do
    step=${conf%/step.conf} off=
    article_total=$(fact article-total) article_kernel=$(fact article-kernel)
    [ -n "$article_total" ] || continue
    judged=$((judged + 1))
    article_kernel=${article_kernel:-0}
    "./$step/inspect" --json "$json" >/dev/null || wrong "$step: a fault, or a failure"
    kernel=$(value '"8800GT": \{[^}]*"kernel_s": ') total=$(value '"8800GT": \{[^}]*"total_s": ')
    seconds=$(value '"observed_s": ') megabytes=$(value '"observed_MB": ')
    compare_counts
    judge
    holds "$megabytes < 2000" || wrong "$step: observing took $megabytes MB"
    [ "$article_kernel" = 0 ] || kernels+="$step $article_kernel $kernel"$'\n'
    rows+=$'\n'"$step,$kernel,$total,$article_kernel,$article_total,$off,$seconds,$megabytes"
done
[ $judged -gt 0 ] || wrong "no step.conf has article-total"
[ $compared -gt 0 ] || wrong "ncu has counted none of the steps"
disorder=$(printf %s "$kernels" | awk '{
    for (i = 1; i < NR; i++)
        if (($2 - article[i]) * ($3 - model[i]) <= 0 && $2 != article[i])
            print $1 " and " name[i]
    name[NR] = $1; article[NR] = $2; model[NR] = $3 }' | paste -sd ';')
[ -z "$disorder" ] || wrong "the model does not order them as the article does: $disorder"
[ $# -eq 0 ] || exec >"$1"
printf '%s\n' "$rows"
exit $bad
