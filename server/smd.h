/* smd.h - the map of smd, the daemon: HTTP in front, a pool of compiler workers behind, no LLVM.
 *
 * Threads:
 *   main         settings, start, signals, drain and stop                          main.c
 *   HTTP x n     libmicrohttpd's: read requests, render answers, never wait        http.c and all that it calls
 *   parser       what would hold an HTTP thread up: parsing a large JSON body      parser.c
 *   pool         owns the fork server, workers and their sockets; the only one that waits  pool.c
 *   disk         all work on the cache's files, if there is a folder for them      disk.c
 *   log          writes what the others have to say                                log.c
 *
 * A request's way through the files:
 *   http.c       connection -> struct request; suspends it while its job waits or runs; sends its reply
 *                (listen.c: the sockets; epoll.c: what their end may not do; gate.c, framing.c: what passes of the bytes that come;
 *                refusal.c: who gets no further; conns.c: the time that a client may take, and how many connections; identify.c: who asks; respond.c: the
 *                reply on its way out, and the line in the log)
 *   body.c       the request's bytes: bounded, inflated (inflate.c), hashed as they come
 *   routes.c     the table of routes
 *   compile.c    POST /v1/compile and /v1/stackmap: options, key, job
 *                (jsonbody.c: a body as JSON, measured before it is parsed; jsonform.c: the JSON form; batch.c, jobs.c: the other ways in; job.c: a job and its key)
 *   cache.c      what was compiled before: lru.c in memory, disk.c on disk (folder.c: its files; entry.c: their heads),
 *                misses.c: why it was not there; verify.c: hits compared; artifacts.c, manifest.c: the routes that ask by key
 *   pool.c       the thread that gives jobs to workers (workers.c: their processes, and the fork server's)
 *                (jobtable.c: jobs in flight and who waits for them; queue.c: their order; failures.c: what failed lately;
 *                crashes.c: what is kept of a crash)
 *   worker.c     one worker's conversation: job out, result in
 *                (ending.c: how it ended, and what that means for its job)
 *   sending.c    the bytes of answers on their way, and their bound
 *   slots.c      tickets: what the kernel names workers and waiters by
 *   forkserver.c    the process that forks workers: start, converse, reap
 *   answer.c     the result -> the media type that was asked for (accept.c)
 *   problem.c    an error -> JSON    (jsontext.c: a text -> JSON)
 *
 * Shared by all: settings.h (one table), log.h (JSON lines), metrics.h (counters), result.h (what a job gave, immutable,
 * counted). Handlers share no other state.
 */
#ifndef SMD_H
#define SMD_H
#endif
