# below_the_panel - the second tile of the last pair is stored below the panel: a planted fault. The suite must reject it.
s/if (row == rows)/if (row > rows)/
