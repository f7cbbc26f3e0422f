# error
# never_spoiled - vectors that spoil are never counted
s/if (o.spoils_b\[v\])/if (false)/
