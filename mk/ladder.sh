#!/bin/sh
# ladder.sh - the names of the steps of the ladder, in the root: all but those whose step.conf says ladder = no.
left=" $(grep -lsE '^ *ladder *= *no\b' [0-9][0-9]_*/step.conf | tr '\n' ' ')"
for source in [0-9][0-9]_*/matmult.cu [0-9][0-9]_*/matmult.c; do
    case $left in *" ${source%/*}/step.conf "*) continue ;; esac
    [ ! -f "$source" ] || echo "${source%/*}"
done | sort
