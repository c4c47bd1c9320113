/* jobwire.h - what the queue of jobs says to Redis, and what Redis's replies mean: the words of each command, over
 * jobscripts.h, and the readers. Nothing is sent from here: jobqueue.c. */
#ifndef SMD_JOBWIRE_H
#define SMD_JOBWIRE_H

#include "jobask.h"
#include "redis.h"
#include "settings.h"

/* Jobs that are renewed by one command; words of a command. */
enum { RENEWED_MOST = 512, JOBWORDS_MOST = RENEWED_MOST + 8 };

/* A command. It points into what it is made of, and into its own texts: it is not copied. */
struct jobwords {
    int count;
    const char *word[JOBWORDS_MOST];
    size_t len[JOBWORDS_MOST];
    char key[8 + JOB_ID_TEXT], number[3][24];
};

/* The command for each. CONSUMER is the name that Redis knows this server by. */
void jobwire_ask(struct jobwords *w, const struct settings *s, const struct jobqueue_ask *ask);
void jobwire_take(struct jobwords *w, const struct settings *s, const char *consumer);
void jobwire_end(struct jobwords *w, const struct settings *s, const char *consumer,
                 const struct jobqueue_work *work);
void jobwire_count(struct jobwords *w);
void jobwire_info(struct jobwords *w, const char *section);

/* The command that renews jobs, so far without one; and one more. */
void jobwire_renew(struct jobwords *w, const char *consumer);
void jobwire_renew_also(struct jobwords *w, const struct jobqueue_work *work);

/* 1 if the reply is this word. */
int jobwire_says(const struct redis_reply *reply, const char *word);

/* 1 if Redis says that it does not write. */
int jobwire_is_full(const struct redis_reply *reply);

/* What the reply to an ask says. Its bytes may be *taken*, by the ask. JOBQUEUE_DOWN: it is none that may come. */
enum jobqueue_answer jobwire_answer(struct jobqueue_ask *ask, struct redis_reply *reply);

/* *New*: the job of a reply to jobwire_take, whose bytes are *taken*, and how long ago it was added; NULL if it is none,
 * or out of memory. */
struct jobqueue_work *jobwire_work(struct redis_reply *reply, long long *waited_ms);

#endif
