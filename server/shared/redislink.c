/* redislink.c - see redislink.h. */
#include "redislink.h"

#include "clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MS_NS UINT64_C(1000000)

/* In milliseconds: to connect and be let in; between two attempts, at first and at most; for any reply. */
enum { GREET_MS = 1000, RETRY_LEAST_MS = 100, RETRY_MOST_MS = 10000, SILENT_MS = 5000, IDLE_MS = 1000 };
enum { SECRET_MOST = 512 };

void link_init(struct link *l) {
    STAILQ_INIT(&l->sent);
}

void link_address(const struct link *l, char *out, size_t size) {
    redis_address_text(&l->address[l->at], out, size);
}

void link_praise(struct link *l) {
    l->retry_ms = 0;
}

int link_send(struct link *l, struct link_ask *ask, int count, const char **words, const size_t *lengths) {
    if (!redis_send(l->redis, count, words, lengths))
        return 0;
    ask->sent_ns = sm_clock_ns();
    ask->greets = 0;
    STAILQ_INSERT_TAIL(&l->sent, ask, next);
    return 1;
}

/* ---- It is lost --------------------------------------------------------------------------------------------- */

/* The time before the next attempt: twice that before the last, and up to a quarter more, so that servers that lost the
 * same Redis do not come back at once. */
static void plan_retry(struct link *l) {
    unsigned next = l->retry_ms ? 2 * l->retry_ms : RETRY_LEAST_MS;
    l->retry_ms = next < RETRY_MOST_MS ? next : RETRY_MOST_MS;
    uint64_t now = sm_clock_ns();
    l->retry_ns = now + l->retry_ms * MS_NS + now % (l->retry_ms / 4 + 1) * MS_NS;
}

void link_lose(struct link *l, const char *why) {
    char address[300];
    link_address(l, address, sizeof address);
    l->is_up = 0;
    redis_close(l->redis);
    l->redis = NULL;
    for (struct link_ask *a; (a = STAILQ_FIRST(&l->sent)) != NULL;) {
        STAILQ_REMOVE_HEAD(&l->sent, next);
        if (a->greets)
            free(a);
        else
            l->drop(l, a);
    }
    plan_retry(l);
    l->at = (l->at + 1) % l->addresses;
    int is_first = !l->is_told;
    l->is_told = 1;
    l->lost(l, address, why, is_first);
}

void link_close(struct link *l) {
    redis_close(l->redis);
    l->redis = NULL;
}

/* ---- It is made --------------------------------------------------------------------------------------------- */

/* The password, without the line's end after it; "" if none is set. 0, and why, if the file cannot be read. */
static int read_password(const struct link *l, char out[SECRET_MOST], struct error *err) {
    out[0] = 0;
    if (!l->password_file[0])
        return 1;
    FILE *f = fopen(l->password_file, "re");
    size_t len = f ? fread(out, 1, SECRET_MOST - 1, f) : 0;
    out[len] = 0;
    out[strcspn(out, "\r\n")] = 0;
    if (f)
        fclose(f);
    if (!out[0])
        error_set(err, SM_IO, "cannot read %s %s: %s", l->password_setting, l->password_file,
                  f ? "it is empty" : strerror(errno));
    return out[0] != 0;
}

/* Out of memory, it is not up in time. */
static void greet(struct link *l, int count, const char **words) {
    size_t lengths[3];
    for (int i = 0; i < count; i++)
        lengths[i] = strlen(words[i]);
    struct link_ask *ask = malloc(sizeof *ask);
    l->greetings++;
    if (ask && link_send(l, ask, count, words, lengths))
        ask->greets = 1;
    else
        free(ask);
}

/* Begins to connect to the address whose turn it is. */
static void connect_next(struct link *l) {
    const struct redis_address *a = &l->address[l->at];
    struct error err = {0};
    char password[SECRET_MOST], database[12];
    l->redis = read_password(l, password, &err) ? redis_connect(a, l->largest, &err) : NULL;
    if (!l->redis) {
        link_lose(l, err.text);
        return;
    }
    l->moved_ns = sm_clock_ns();
    l->greet_due_ns = l->moved_ns + GREET_MS * MS_NS;
    l->greetings = 0;
    if (password[0] && a->user[0])
        greet(l, 3, (const char *[]){"AUTH", a->user, password});
    else if (password[0])
        greet(l, 2, (const char *[]){"AUTH", password});
    snprintf(database, sizeof database, "%d", a->database);
    if (a->database)
        greet(l, 2, (const char *[]){"SELECT", database});
    greet(l, 1, (const char *[]){"PING"});
    explicit_bzero(password, sizeof password);
}

void link_tick(struct link *l) {
    uint64_t now = sm_clock_ns();
    const struct link_ask *oldest = STAILQ_FIRST(&l->sent);
    if (!l->redis && now >= l->retry_ns && !l->is_closing)
        connect_next(l);
    else if (l->redis && l->greetings && now >= l->greet_due_ns)
        link_lose(l, "no connection within a second");
    else if (oldest && now > oldest->sent_ns + SILENT_MS * MS_NS && now > l->moved_ns + SILENT_MS * MS_NS)
        link_lose(l, "it is silent");
}

uint64_t link_due(const struct link *l, uint64_t now_ns) {
    uint64_t first = now_ns + IDLE_MS * MS_NS;
    if (!l->redis && l->retry_ns < first)
        first = l->retry_ns;
    if (l->redis && l->greetings && l->greet_due_ns < first)
        first = l->greet_due_ns;
    return first;
}

/* ---- Replies ------------------------------------------------------------------------------------------------ */

/* 1 if the error is one of the server, whatever it was asked for. READONLY: it was a primary, and is a replica now.
 * LOADING: it has been started again. */
static int is_over(const struct redis_reply *reply) {
    const char *text = (const char *)reply->bytes;
    return reply->type == REDIS_IS_ERROR &&
           (strncmp(text, "READONLY", 8) == 0 || strncmp(text, "NOAUTH", 6) == 0 || strncmp(text, "LOADING", 7) == 0);
}

/* The reply, *taken*, to the oldest command. 0: the connection was lost. */
static int on_reply(struct link *l, struct redis_reply *reply) {
    struct link_ask *ask = STAILQ_FIRST(&l->sent);
    char why[200];
    snprintf(why, sizeof why, "%s",
             reply->type == REDIS_IS_ERROR ? (const char *)reply->bytes : "an unexpected reply");
    int ok = ask && !is_over(reply);
    if (ask)
        STAILQ_REMOVE_HEAD(&l->sent, next);
    if (ask && !ask->greets) {
        ok &= l->reply(l, ask, reply);
    } else {
        if (ask) {
            ok &= reply->type == REDIS_IS_WORD;
            l->greetings -= ok;
        }
        free(ask);
        redis_reply_free(reply);
    }
    if (!ok)
        link_lose(l, why);
    return ok;
}

void link_work(struct link *l) {
    struct error err = {0};
    int moved = 0, bad = 0;
    if (!l->redis)
        return;
    if (redis_step(l->redis, &moved, &err) != SM_OK) {
        link_lose(l, err.text);
        return;
    }
    if (moved)
        l->moved_ns = sm_clock_ns();
    int was_greeting = l->greetings > 0;
    for (struct redis_reply *reply; (reply = redis_next(l->redis, &bad)) != NULL && !bad;)
        if (!on_reply(l, reply))
            return;
    if (bad) {
        char why[120];
        snprintf(why, sizeof why, "what came is no reply that smd asks for, or larger than %s", l->bound);
        link_lose(l, why);
    } else if (was_greeting && !l->greetings) {
        l->is_up = 1;
        l->is_told = 0;
        l->up(l);
    }
}

void link_await(struct link *l, int wake, uint64_t until_ns) {
    struct pollfd p[2] = {{.fd = wake, .events = POLLIN}};
    uint64_t now = sm_clock_ns(), count;
    int ms = until_ns <= now ? 0 : (int)((until_ns - now + MS_NS - 1) / MS_NS);
    if (l->redis)
        p[1] = (struct pollfd){.fd = redis_fd(l->redis), .events = redis_events(l->redis)};
    if (poll(p, l->redis ? 2 : 1, ms) > 0 && p[0].revents)
        while (read(wake, &count, sizeof count) < 0 && errno == EINTR)
            ;
}
