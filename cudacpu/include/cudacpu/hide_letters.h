/* hide_letters.h - macros of one letter, as -DT=float makes them, mean nothing in the headers up to
 * show_letters.h, whose templates have such parameters. */
#pragma push_macro("A")
#pragma push_macro("B")
#pragma push_macro("F")
#pragma push_macro("G")
#pragma push_macro("I")
#pragma push_macro("P")
#pragma push_macro("R")
#pragma push_macro("T")
#undef A
#undef B
#undef F
#undef G
#undef I
#undef P
#undef R
#undef T
