# no_bound - takes every element for good enough: a planted fault. The suite must reject it.
s/if (!(bound <= .*/if (0) {/
