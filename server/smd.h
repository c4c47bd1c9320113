/* smd.h - the map of smd, the daemon: HTTP in front, a pool of compiler workers behind, no LLVM.
 *
 * Each folder is a library that publishes its own headers alone and may use what stands below it in this list:
 *
 *   check.c      --check-config: what a start would find
 *   confinement.c  what smd itself may still reach
 *   probe.c      --probe: is the daemon of these settings ready?
 *   main.c       settings, start, signals, drain and stop; hands the rooms to each other
 *   routes/      what is asked for, and answered           uses all that follow
 *   page/        the page that a browser gets              http
 *   http/        connections, requests, replies            tls, access, trace, job, ops
 *   access/      who may ask for what                      ops
 *   tls/         certificates, and sessions on sockets     ops
 *   trace/       what a collector is told of requests      ops
 *   dispatch/    the one door for jobs                     cache, pool
 *   pool/        workers, and the jobs that they run       job, ops
 *   cache/       what was compiled before                  shared, job, ops
 *   shared/      what other servers have compiled          job, ops
 *   job/         a job and its result                      ops
 *   ops/         settings, log, metrics, errors; the system  proto
 *
 * Threads:
 *   main         settings, start, signals, drain and stop                                  main.c
 *   HTTP x n     libmicrohttpd's: read requests, render answers, never wait                http.c and all that it calls
 *   accept x 2   lets connections in, of clients and of operators                          acceptor.c
 *   announce x 2 waits for the PROXY protocol, if client_from says so                       announcer.c
 *   greet x 2    handshakes by TLS, if it is asked for                                     greeter.c
 *   parser       inflates, parses or hashes large bodies, which would hold an HTTP thread up   handle.c, tasks.c
 *   renderer     makes the JSON of large results, of batches, and what operators read, likewise   answer.c, batch.c, tasks.c
 *   pool         owns the fork server, workers and their sockets                           pool.c
 *   crashes      writes crash files, if crash_dir is set                                   crashes.c, tasks.c
 *   disk         all work on the cache's files, if there is a folder for them              disk.c
 *   startups     writes what was recorded under names, if there is a folder for the cache   startups.c, tasks.c
 *   lateness     ends reads of files that take too long                                    reads.c
 *   shared x 3   what goes to and comes from the shared tier, if there is one; seals and opens it   tier.c, tasks.c
 *   store x 3    what goes to and comes from the object store, if there is one; seals and opens it   store.c, objects.c, tasks.c
 *   traces       tells a collector of requests, if the setting otlp names one              traces.c
 *   jobs x 3     the queue of jobs, if there is one; seals and opens what goes to and comes from it   jobqueue.c, durable.c, durable_run.c, tasks.c
 *   log          writes the log's lines                                                    log.c
 *
 * A request's way. In: acceptor.c (-> announcer.c) (-> greeter.c) -> libmicrohttpd, whose recv is gate.c (framing.c)
 * -> http.c -> handle.c -> router.c -> the route's begin(); body.c; the route's finish(). Out: answer.c, or problem.c -> reply.c -> handle.c
 * -> respond.c.
 *   the key                    cache.c: of an input that was sent before (inputs.c), else job.c
 *   a hit in memory            compile.c (answer_from_memory) -> cache.c; the connection never waits. Then dispatch.c -> verify.c,
 *                              which compiles some of them again
 *   a hit on disk              compile.c (submit_and_wait) -> dispatch.c -> cache.c -> disk.c; on the disk thread cache.c puts it into
 *                              memory, and dispatch.c calls the waiter's done()
 *   a hit in the shared tier   the same until disk.c has nothing -> cache.c -> tier.c, whose thread asks Redis, and which opens what comes
 *   a hit in the store         the same until tier.c has nothing -> cache.c -> store.c, whose thread asks by objects.c; the shared tier gets it
 *   a miss                     the same until disk.c, tier.c and store.c have nothing -> dispatch.c -> pool.c -> jobtable.c (failures.c) -> workers.c ->
 *                              worker.c. Back: jobtable_finish -> main.c (keep_result) -> cache.c; done() in compile.c ->
 *                              request_ready() -> handle.c
 *   a compressed body          handle.c (request_add) -> tasks.c, whose thread inflates all but its beginning, a piece at a time
 *   a JSON body, not tiny      first tasks.c, whose thread parses it; dispatch_submit then looks into memory
 *   POST /v1/batch             batch.c -> jsonbody.c; for each item jsonform.c, its key, dispatch_submit; the last done() sends it to
 *                              the renderer, which makes the request ready
 *   GET /v1/artifacts/KEY      artifacts.c -> cache.c, or disk.c and the read's done()
 *   POST /v1/jobs              compile.c -> jobs.c (submit_and_store) -> stored.c -> dispatch.c; the waiter is a member of the stored
 *                              job, the request is answered at once
 *   with a queue of jobs       compile.c -> jobs.c -> durable.c (durable_submit) -> jobqueue.c, whose thread asks Redis -> request_ready(). Taken by
 *                              any server: jobqueue.c -> durable_run.c (on_work) -> dispatch.c; on_run_done -> jobqueue.c
 *   GET /v1/jobs/ID?wait=S     jobs.c -> stored.c (jobs_look); on_stored_done or jobs_tick makes the request ready
 *   a large result             answer.c (answer_when_ready): the renderer makes its JSON, once for all who ask; then the request is
 *                              ready
 *   the client hangs up        one job: pool.c, which watches the socket -> jobtable.c: done() with NULL; a batch: conns.c ->
 *                              batch.c (on_gone)
 *   DELETE /v1/jobs/ID         jobs.c -> stored.c (jobs_remove) -> dispatch.c (dispatch_cancel): cuts the lookup on disk off its
 *                              waiter, or pool.c -> jobtable.c. A running job that nobody waits for: pool.c (kill_abandoned) ->
 *                              worker_kill; workers.c frees it when the process has ended
 *
 * http/
 *   http.c       libmicrohttpd's daemons: connections in, each request to handle.c; drain and stop
 *   handle.c     one request's course: body, route, reply; suspended while its job waits or runs
 *   request.c    what routes ask of a request: headers, query, to wait
 *   router.c     which route a request is for
 *   reply.c      an answer that is being filled
 *   respond.c    the reply on its way out, and its line in the log
 *   problem.c    an error -> JSON
 *   body.c       the request's bytes: bounded, inflated as they come (inflate.c)
 *   accept.c     which media type the client wants, and how compressed (deflate.c)
 *   identify.c   who asks
 *   proxies.c    who asks, if a trusted proxy says so; forwarded.c: the header Forwarded
 *   proxyline.c  the PROXY protocol; announcer.c: the thread that waits for it
 *   origin.c     which names a request may call the server by, and whose pages may ask
 *   listen.c     listening sockets; acceptor.c: the thread that lets connections in
 *   greeter.c    connections by TLS until their handshake is done
 *   conns.c      the time that a client may take, and how many connections it may have
 *   gate.c       what passes of the bytes that come (framing.c); refusal.c: who gets no further
 * trace/
 *   trace.c      which trace a request is part of, and what is told of it
 *   otlp.c       the same as a collector takes it
 *   traces.c     the thread that sends it
 * tls/
 *   certificates.c  who this server is and whom it lets in
 *   session.c    TLS on one socket
 *   ask.c        smd as the client of itself
 * access/
 *   access.c     the table in force
 *   holder.c     who stands in a row of it, and tenants' counters; usage.c: what one has used
 *   rows.c       the token file; ownfile.c: files that decide who may ask
 *   issued.c     tokens of an identity provider, and those that were checked before
 *   jwt.c        such a token as it comes; jwtkeys.c: the provider's keys
 * routes/
 *   context.h    what every route can reach
 *   routes.c     the table of routes, and the small ones
 *   compile.c    POST /v1/compile and /v1/stackmap: options, key, job, answer
 *   tiers.c      one upload, several levels
 *   batch.c      POST /v1/batch
 *   progress.c   how far a compile is
 *   jobs.c       /v1/jobs: compiles that nobody waits for on a connection
 *   stored.c     what is kept of them
 *   durable.c    those of the queue that servers share
 *   durable_run.c  those of that queue that this server runs
 *   artifacts.c  /v1/artifacts, /v1/modules: what has this key
 *   manifest.c   GET /v1/manifest
 *   stream.c     GET /v1/stream: all that was recorded under a name, in one answer
 *   capabilities.c  GET /v1/capabilities
 *   answer.c     a result -> the media type that was asked for
 *   jsonform.c   the JSON form of a compile; jsonbody.c: a body as JSON, measured before it is parsed
 *   embedded.S   openapi.yaml in the program (embedded.h)
 * page/
 *   page.c       GET / for browsers; its files are generated (files.h), or there are none (none.c)
 * dispatch/
 *   dispatch.c   submit, cancel: memory -> disk -> shared tier -> store -> pool
 *   verify.c     a share of the hits is compiled again and compared
 * pool/
 *   pool.c       the thread: it waits for whatever happens, and acts on it
 *   jobtable.c   jobs in flight and who waits for them: what all threads share
 *   workers.c    the worker processes and what becomes of their jobs
 *   admission.c  what a second worker has to confirm before it is kept
 *   worker.c     one worker's conversation: job out, result in
 *   ending.c     how a worker ended, and what that means for its job
 *   forkserver.c the process that forks workers: start, converse, reap
 *   failures.c   what failed lately
 *   crashes.c    what is kept of a crash
 *   slots.c      tickets: what the kernel names workers and waiters by
 * cache/
 *   cache.c      results by key, in memory; disk.c: on disk
 *   inputs.c     modules that were sent before: what is sent again is not hashed again by SHA-256
 *   lru.c        the index of all
 *   folder.c     the disk's files; entry.c: their heads
 *   reads.c      the reads that wait for the disk, and how long they may
 *   startups.c   what runtimes get when they start, by name, in the order of its first answer
 *   misses.c     why a compile was not in the cache
 * shared/
 *   tier.c       lookups, writes and claims in Redis, and when it is down
 *   redis.c      a connection to Redis on which nothing waits
 *   redislink.c  that connection, made again to the next address when it is lost
 *   store.c      lookups and writes in an object store, and when it is down
 *   objects.c    requests to it: S3 or WebDAV
 *   seal.c       entries that only who has the operators' key can write
 *   sealer.c     the threads that seal and open them
 *   claims.c     the keys that this server compiles for all
 *   jobqueue.c   the queue of jobs in Redis, behind one thread
 *   jobask.h     what is asked of it, and a job in hand
 *   jobwire.c    the commands that it sends, and what their replies mean
 *   jobscripts.c what Redis does for it, each step as a whole
 *   jobrecord.c  a job and its result as bytes
 * job/
 *   job.c        a job, its key and who waits for it
 *   result.c     what a job gave: immutable, counted
 *   shared.c     an answer that is the same for all who ask
 *   budget.c     the one account of the memory that clients take, and its bounds
 *   source.c     a job's input, shared and counted once
 *   queue.c      the order of jobs; heap.c: deadlines
 *   vouch.c      the operator's key, which signs results
 *   tasks.c      a thread and what waits for it
 * ops/
 *   confine.c    what smd gives up
 *   settings.c   one table of settings; cpus.c: how many CPUs are ours
 *   profiles.c   collectors that are described in files (profile_resolve.c: each); optionvalue.c: what options are in JSON
 *   log.c        JSON lines
 *   slices.c     large blocks go back to the system a slice at a time
 *   makedir.c    folders of smd's own; thread.c: which threads yield, and the end of one that may hang
 *   metrics.c    counters; process.c: the process's own; slowest.c: the compiles that took longest
 *   history.c    what /metrics has said in the last hour
 *   error.c      what went wrong, in words
 *   hash.c       a hash table of nodes that lie in what they are the nodes of; container.h: from a member to its struct
 *   notify.c     a word to the service manager
 */
#ifndef SMD_H
#define SMD_H
#endif
