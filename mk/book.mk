# book.mk - the book: held against the repository, drawn, and made into a site.
DOCS_PACKAGES := python3-sphinx python3-myst-parser furo libjs-mathjax
SPHINX := /usr/bin/python3 -m sphinx
# What the chapters play, with its own program: <!-- play: PROGRAM ARGUMENTS -->
PLAYED = $(sort $(shell sed -n 's/^<!-- play: \([^ ]*\).*/\1/p' docs/*.md))
# In which language `make docs` says where the book begins: en or zh_CN. It makes both.
DOCS_LANGUAGE ?= en
# What the site is made of: any file may be shown. As long as all is the same, so is the site.
SITE_OF = $(SPHINX) --version; echo "$$DOCS_URL"; find . -type f ! -path './.git/*' ! -path './$(BUILD)/*' ! -path './docs/_build/*' ! -name '*.mo' -print0 | \
    LC_ALL=C sort -z | xargs -0 sha256sum; sha256sum $(PLAYED)
HAS_DOCS_PACKAGES = /usr/bin/python3 -c 'import sphinx, myst_parser, furo' 2>/dev/null && test -d /usr/share/javascript/mathjax || \
    { echo "make $@ needs: apt-get install --no-install-recommends $(DOCS_PACKAGES)" >&2; exit 1; }
.PHONY: docs site docs-check translation ladder map covered figures

docs-check:
	@$(HAS_DOCS_PACKAGES)
	@$(MAKE) BACKEND=cpu $(PARALLEL) steps $(BUILD)/cpu/cudacpu/tests/faults/run $(INSPECT)/cudacpu/inspect/tests/faults $(INSPECT)/cudacpu/inspect/tests/async_faults \
	    $(BUILD)/cpu/cudacpu/inspect/tests/device_faults $(INSPECT)/cudacpu/inspect/tests/device_faults $(INSPECT)/cudacpu/inspect/tests/stream_faults \
	    $(BUILD)/cpu/cudacpu/tests/nccl/faults >/dev/null
	@python3 docs/tools/tests/test_check.py
	@python3 docs/tools/tests/test_figures.py
	@python3 docs/tools/tests/test_covered.py
	@python3 docs/tools/ladder.py --check
	@python3 docs/tools/which_kernel.py --check
	@python3 docs/tools/map.py --check
	@python3 docs/tools/covered.py --check
	@python3 docs/tools/figures.py --check
	@python3 docs/tools/player.py --check
	@/usr/bin/python3 docs/tools/tests/test_translation.py
	@/usr/bin/python3 docs/tools/translation.py
	@python3 docs/tools/check.py $(PAGES)

docs:
	@$(HAS_DOCS_PACKAGES)
	@case "$(DOCS_LANGUAGE)" in en | zh_CN) ;; *) echo "DOCS_LANGUAGE=$(DOCS_LANGUAGE): the book is in en and zh_CN" >&2; exit 1 ;; esac
	@$(MAKE) BACKEND=cpu $(PARALLEL) $(PLAYED) >/dev/null
	@now="$$({ $(SITE_OF); } | sha256sum)"; [ "$$now" = "$$(cat docs/_build/of 2>/dev/null)" ] || { rm -rf docs/_build && \
	for language in en zh_CN; do DOCS_LANGUAGE=$$language $(SPHINX) -q -W --keep-going -b html -d docs/_build/cache/$$language docs \
	    docs/_build/html/$${language#en} || exit 1; done && echo "$$now" >docs/_build/of; }
	@echo "the book is docs/_build/html/$(addsuffix /,$(filter-out en,$(DOCS_LANGUAGE)))index.html"

site: docs
	@/usr/bin/python3 docs/tools/tests/test_site.py
	@/usr/bin/python3 docs/tools/site_check.py
	@python3 docs/tools/search.py

# The catalogues and pages of other languages, brought up to date with the English ones.
translation:
	@$(HAS_DOCS_PACKAGES)
	@command -v msgmerge >/dev/null || { echo "make translation needs: apt-get install gettext" >&2; exit 1; }
	@/usr/bin/python3 docs/tools/translation.py --update

ladder:
	@python3 docs/tools/ladder.py
	@python3 docs/tools/which_kernel.py

map:
	@python3 docs/tools/map.py
	@python3 docs/tools/layers.py

covered:
	@python3 docs/tools/covered.py

figures:
	@$(MAKE) BACKEND=cpu steps >/dev/null
	@python3 docs/tools/figures.py
	@command -v chromedriver >/dev/null && python3 docs/tools/player.py || echo "no chromedriver: docs/figures/player.png stays as it is"
