"""The book's pictures, a file for each kind; docs/tools/figures.py is the command."""
