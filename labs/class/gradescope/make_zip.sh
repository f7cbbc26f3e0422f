#!/usr/bin/env bash
# make_zip.sh LAB - writes build/gradescope_labLAB.zip: this repository with the lab's number, as Gradescope wants it. All
# students get the same SEED: the one that is given, or one that is drawn here.
set -eu
cd "$(dirname "$0")/../../.."
lab=${1:-}
ls -d labs/lab"$lab"_* >/dev/null 2>&1 || { echo "make_zip: LAB is the number of a lab" >&2; exit 2; }
seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
case $seed in *[!0-9]* | ???????????????????*) echo "make_zip: SEED is a whole number of at most 18 digits" >&2; exit 2 ;; esac
mkdir -p build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive HEAD | tar -x -C "$work"
cp labs/class/gradescope/setup.sh labs/class/gradescope/run_autograder "$work"
echo "$lab" >"$work/labs/class/gradescope/lab"
echo "$seed" >"$work/labs/class/gradescope/seed"
python3 - "$work" "build/gradescope_lab$lab.zip" <<'PYTHON'
import shutil
import sys
shutil.make_archive(sys.argv[2][:-4], "zip", sys.argv[1])
PYTHON
echo "build/gradescope_lab$lab.zip"
