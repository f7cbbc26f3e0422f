# error
# no_bound - takes every element for good enough
s/if (!(bound <= .*/if (0) {/
