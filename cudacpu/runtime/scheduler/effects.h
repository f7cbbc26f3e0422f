/* effects.h - what is still to come in a cluster: effects of instructions that do not wait for
 * them, such as a bulk copy on its way. */
#ifndef CUDACPU_RUNTIME_EFFECTS_H
#define CUDACPU_RUNTIME_EFFECTS_H

namespace cudacpu {

struct effect {
    void (*perform)(void *), (*forget)(void *);
    void *argument;
};

/* perform(argument) is called once: when no thread of the cluster can go on otherwise, oldest
 * first, by the OS thread of any of its blocks, on no fiber. For what is left when the cluster's
 * last block has ended, or the launch fails, forget(argument) is called instead, unless it is NULL.
 */
void add_effect(void (*perform)(void *), void *argument, void (*forget)(void *) = nullptr);
/* Forgets all of this cluster. */
void forget_effects();
/* The oldest effect of this cluster happens; false: there is none. */
bool perform_effect();

} // namespace cudacpu
#endif
