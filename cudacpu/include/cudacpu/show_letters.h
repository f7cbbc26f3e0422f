/* show_letters.h - they mean again what they did before hide_letters.h. */
#pragma pop_macro("A")
#pragma pop_macro("B")
#pragma pop_macro("F")
#pragma pop_macro("G")
#pragma pop_macro("I")
#pragma pop_macro("P")
#pragma pop_macro("R")
#pragma pop_macro("T")
