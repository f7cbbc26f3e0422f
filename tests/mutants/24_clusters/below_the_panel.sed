# error
# below_the_panel - the second tile of the last pair is stored below the panel
s/if (row == rows)/if (row > rows)/
