# expect 0: x
/==== TASK 5/,/==== END 5/ s/if (pinned)/if (false \&\& pinned)/
