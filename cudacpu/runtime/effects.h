/* effects.h - what is still to come in a cluster: effects of instructions that do not wait for
 * them, such as a bulk copy on its way. */
#ifndef CUDACPU_RUNTIME_EFFECTS_H
#define CUDACPU_RUNTIME_EFFECTS_H

namespace cudacpu {

/* perform(argument) is called once: when no thread of the cluster can go on otherwise, oldest
 * first. What is left when the cluster's last block has ended, or when the launch fails: then
 * forget(argument) is called instead, unless it is NULL. */
void add_effect(void (*perform)(void *), void *argument, void (*forget)(void *) = nullptr);
/* Forgets all of this cluster. */
void forget_effects();

} // namespace cudacpu
#endif
