#!/bin/sh
# bits.sh [STEP...] - builds these steps, or all of the ladder, for this machine's GPU and for its CPU, and compares the hash of C,
# in the three modes of CUDACPU_ASYNC, at each n of BITS_SIZES; and with SAME_AS=STEP whether the GPU makes the same of them as of
# that step, at n of SAME_SIZES. A line with DIFFERENT is one where bits differ or a program failed.
set -u
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(mk/ladder.sh | grep -vxF "$(dirname [0-9][0-9]_*/matmult.c)")
for backend in cpu gpu; do
    # shellcheck disable=SC2046
    make -k -j"$(nproc)" BACKEND=$backend $(printf "build/$backend/%s/run " "$@" ${SAME_AS:+"$SAME_AS"}) >/dev/null 2>&1 ||
        echo "build for the $backend: status $?, DIFFERENT"
done
hash() { "build/$1/$2/run" -n "$3" --csv | tail -n 1 | sed 's/.*,//'; }
# report TEXT HASH NAME HASH
report() {
    verdict=
    [ -n "$2" ] && [ "$2" = "$4" ] || verdict=', DIFFERENT'
    echo "$1: GPU $2, $3 $4$verdict"
}
for step; do
    for n in ${BITS_SIZES-100 1000 1537}; do
        on_cpu=$(for mode in early late random; do (export CUDACPU_ASYNC=$mode && hash cpu "$step" "$n") & done | sort -u | tr '\n' ' ')
        report "$step n=$n" "$(hash gpu "$step" "$n")" CPU "${on_cpu% }"
    done
done
[ -n "${SAME_AS:-}" ] || exit 0
for n in ${SAME_SIZES-512 1000 2048}; do
    same=$(hash gpu "$SAME_AS" "$n")
    for step; do report "$step n=$n" "$(hash gpu "$step" "$n")" "$SAME_AS" "$same" & done
    wait
done | sort
