/* article.h - what the article derives and measured for its steps, for inspect to set beside its
 * counts. */
#ifndef ARTICLE_H
#define ARTICLE_H
#include "cudacpu/inspect.h"

/* For a step's name and n; a name that the article does not have gets neither formula nor seconds.
 */
inspect_facts article_facts(const char *step, int n);
#endif
