# expect 84: cudaFreeHost\(memory\): invalid argument
/void free_host/,/^}/ s/if (pinned)/if (!pinned)/
