# elsewhere.mk - where else a reader runs it: notebook.ipynb and the Dockerfile, each tried from start to end.
NOTEBOOK_PACKAGES := python3-nbclient python3-ipykernel
.PHONY: notebook container

notebook:
	@/usr/bin/python3 -c 'import nbclient, ipykernel' 2>/dev/null || \
	{ echo "make notebook needs: apt-get install --no-install-recommends $(NOTEBOOK_PACKAGES)" >&2; exit 1; }
	@/usr/bin/python3 .ci/notebook.py

container:
	@.ci/container.sh || [ $$? -eq 77 ]
