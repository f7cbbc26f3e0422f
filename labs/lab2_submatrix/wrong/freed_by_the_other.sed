# expect 0: x
/void free_host/,/^}/ s/if (pinned)/if (!pinned)/
