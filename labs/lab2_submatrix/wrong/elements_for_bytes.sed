# expect 84: gave fewer bytes than its elements have(.*\n)*.*took fewer bytes from malloc
# gpu 84-89: took fewer bytes from malloc
/==== TODO 5/,/==== end of TODO 5/s/elements \* sizeof(ELEMENT)/elements/
