# quiet.mk - what make prints: one short line for each thing it makes; V=1 prints the commands instead.
# $(call quiet,CC common/matgen.c,command)
quiet = $(if $(V),$(2),@echo '$(1)'; $(2))
# The same without a line of its own, for the many small files that one line names together.
silent = $(if $(V),,@)

# As a recipe: a file that changes only when its text does. What depends on the text depends on the file.
# The new text has a name of its shell's own, as two makes may run.
# $(call remember,text)
remember = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.$$$$; \
    if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
