# error
# never_spoiled - vectors that spoil are never counted
s/if (o.spoils_b\[v\] || spoils_its_like(x, sum, o.n))/if (false)/
