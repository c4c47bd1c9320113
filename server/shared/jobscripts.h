/* jobscripts.h - what Redis does for the queue of jobs, each step as a whole: scripts for EVAL, in Lua.
 *
 *     smd:jobs          the stream of jobs that wait or run; each is taken out when it has ended
 *     smd:jobs:dead     the stream of those that were delivered too often, the last JOBS_DEAD_MOST
 *     smd:dead:ID       the job of each of these
 *     smd:jobs:clients  how many jobs of each client are in the first
 *     smd:job:ID        "w" and its place in the first; "x" and its place in the second; or "d" and its sealed result
 *
 * The consumer group is `smd`, and each server a consumer. A job in hand is one of the group's pending entries; it is
 * idle while its server does not renew it. XPENDING with IDLE finds such an entry wherever it stands (XAUTOCLAIM looks at ten
 * at a time), with the number of its deliveries, and XCLAIM takes it.
 */
#ifndef SMD_JOBSCRIPTS_H
#define SMD_JOBSCRIPTS_H

enum { JOBS_DEAD_MOST = 1000, JOBS_LISTED = 100 };

/* ID, job, client, most jobs, most of a client -> "added", "full" (all), "many" (the client's). */
extern const char jobscript_add[];

/* Consumer, milliseconds after which an idle job is another's, most deliveries -> "ENTRY DELIVERIES MILLISECONDS ID
 * CLIENT\n", with the time since it was added, and the job; "dead ID DELIVERIES": it has been delivered too often,
 * and there may be more; nil. */
extern const char jobscript_take[];

/* Consumer, entries -> those that are not this consumer's any more, each with a space after it. */
extern const char jobscript_renew[];

/* ENTRY, ID, client, sealed result, seconds to keep it -> "ended"; "gone": another has ended it, or it was removed. */
extern const char jobscript_end[];

/* Consumer, ENTRY, idle milliseconds, "1" if the delivery counts -> "back" or "gone". */
extern const char jobscript_give_back[];

/* ID -> "removed"; nil. */
extern const char jobscript_remove[];

/* ID -> "again": a dead job waits again; nil. */
extern const char jobscript_retry[];

/* -> "WAITING RUNNING DEAD\n". With "1" also a line "ID DELIVERIES BYTES MILLISECONDS" (since 1970) for each of the last
 * JOBS_LISTED dead jobs. Forgets servers that are gone. */
extern const char jobscript_list[];

#endif
