# error early at n = 1025
# first_panel_alone - with narrow panels, each of them is the first one
s/PANEL = 1024/PANEL = 1/
s/o.top = (unsigned)row;/o.top = 0;/
