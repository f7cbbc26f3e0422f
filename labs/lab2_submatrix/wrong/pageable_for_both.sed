# expect 89: gave memory that is not pinned
/==== TODO 5/,/==== end of TODO 5/ s/if (pinned)/if (false \&\& pinned)/
