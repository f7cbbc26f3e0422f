#!/usr/bin/env bash
# site.sh - the book as pages, in docs/_build/html: installs what is missing, builds and checks. What the workflow of the site
# runs; DOCS_URL is the site's address.
set -eu
cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive
make deps
if [ ! -d /usr/share/javascript/mathjax ]; then
    apt-get update -q
    # shellcheck disable=SC2046
    apt-get install -y -q --no-install-recommends $(sed -n 's/^DOCS_PACKAGES := //p' mk/book.mk)
fi
make site
