#!/usr/bin/env bash
# rename.sh - nothing depends on a step's name or number, and a broken step stops no other. It renames, deletes and copies
# steps where it stands: run it in a copy of the repository.
set -eu
cd "$(dirname "$0")/.."
export BACKEND=cpu CHECK_SIZES=small
failed() { echo "rename: $*" >&2; exit 1; }
[ ! -e .git ] || failed "this is a repository; run it in a copy: git archive HEAD | tar x -C COPY"

rm -r 0[89]_* [1-9]?_* # what is slow to build adds nothing here
mv 05_pitched 50_pitched
rm -r 03_kahan
cp -r 06_tiled 50_mine
make
for step in 50_pitched 50_mine; do
    "./$step/run" -n 100
    "./$step/inspect" -n 50 >/dev/null
    make check CK_RUN_CASE=$step
done
make check CK_RUN_CASE=command_line
make inspect N=50
table=$(make bench)
echo "$table"
grep -q '^50_mine ' <<<"$table" || failed "the benchmark has no 50_mine"

# A step that does not compile: the others are built, checked and listed.
echo 'not C' >>50_mine/matmult.cu
! make >/dev/null 2>&1 || failed "make succeeds with a step that does not compile"
./07_padded_noif/run -n 50
said=$(make check CK_RUN_CASE=50_pitched 2>&1) || failed "a step that does not compile stops another's checks: $said"
! make check CK_RUN_CASE=50_mine >/dev/null 2>&1 || failed "the suite passes a step that does not compile"
rm -r 50_mine
# Out of the ladder: built and checked where it is asked for by name, and nowhere else.
mv 50_pitched 50_apart
echo 'ladder = no' >>50_apart/step.conf
[[ $(make -n) != *50_apart* && $(make -n steps) == *50_apart* ]] || failed "make builds a step that is not in the ladder"
make check CK_RUN_CASE=50_apart
listed=$(make -n SUITE=check suite)
[[ $listed != *50_apart/matmult.o* && $listed == *07_padded_noif/matmult.o* ]] || failed "make check has a step that is not in the ladder"
! make check CK_RUN_CASE=nonsense >/dev/null 2>&1 || failed "a part that does not exist passes"

# A wrong word in a step.conf: a sentence, and no program.
for word in 'measure = magnitud' 'tolerence = 1e-6' 'tolerance = 1e-6 to 128' 'tolerance = small' 'ladder = maybe'; do
    cp -r 06_tiled 50_mine
    echo "$word" >50_mine/step.conf
    if make 50_mine >build/said 2>&1; then failed "'$word' was taken"; fi
    grep -q "^50_mine/step.conf:1: " build/said || failed "'$word': no sentence, but $(cat build/said)"
    rm -r 50_mine
done
echo "rename: all as it should be"
