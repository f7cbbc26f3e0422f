# expect 89: gave memory that is not pinned
/==== TASK 5/,/==== END 5/ s/if (pinned)/if (false \&\& pinned)/
