#!/usr/bin/env bash
# setup.sh - Gradescope runs it once, when it builds the image: what the lab needs, and the grader's kit.
set -eu
source=${AUTOGRADER:-/autograder}/source
cd "$source"
apt-get update -q
apt-get install -y -q --no-install-recommends make python3
sh mk/deps.sh labs
# The kit is made once here, not once a submission: a grading of the starter asks for it.
lab=$(cat labs/class/gradescope/lab)
python3 labs/grader/grade.py "$lab" --build "$source/build" >/dev/null || test $? -eq 1
