# expect 84: did not free pinned memory.*\n.*did not free pageable memory
# full
/void free_host/,/^}/ {
  /^    /d
  /^}/s/^/    (void)memory, (void)pinned;\n/
}
