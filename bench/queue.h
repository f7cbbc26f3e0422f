/* queue.h - kernel timers that do not see how long a launch takes. */
#ifndef QUEUE_H
#define QUEUE_H
#ifdef __cplusplus
extern "C" {
#endif

/* From now on, or with 0 no more, each kernel timer begins behind work of about a millisecond in
 * its stream: what it times is queued when its turn comes, so that the wait for the launch, which
 * an idle device would spend after the first event, is not in the time. The total of such a call
 * has the millisecond in it. */
void queue_launches(int on);

#ifdef __cplusplus
}
#endif
#endif
