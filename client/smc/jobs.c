/* jobs.c - smc jobs: the queue of jobs that servers share, and its dead ones. */
#include "smc.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int retries, all;

static const struct flag flags[] = {{"retry", 0, FLAG_SWITCH, &retries, NULL, "have the jobs of these IDs run again"},
                                    {"all", 'a', FLAG_SWITCH, &all, NULL, "with --retry: all that are dead"},
                                    {0}};

/* The list, *new*; NULL: why is reported, and *STATUS is set. */
static json_t *get_list(sm_client *client, int *status) {
    sm_error err;
    char *text = NULL;
    sm_result result = sm_get(client, "/v1/dead-jobs", &text, &err);
    json_t *list = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
    sm_text_free(text);
    if (list)
        return list;
    complain("%s", result == SM_SUCCESS ? "the server's list cannot be read" : err.message);
    *status = result == SM_SUCCESS ? EXIT_SERVER : server_status(result);
    return NULL;
}

static long long number(const json_t *of, const char *name) {
    return (long long)json_integer_value(json_object_get(of, name));
}

static const char *id_of(const json_t *job) {
    const char *id = json_string_value(json_object_get(job, "id"));
    return id ? id : "";
}

/* Prints the list; gives the exit status. */
static int show(const json_t *list) {
    size_t i;
    const json_t *job;
    printf("waiting %lld, running %lld, dead %lld\n", number(list, "waiting"), number(list, "running"),
           number(list, "dead"));
    json_array_foreach(json_object_get(list, "jobs"), i, job) {
        time_t died = (time_t)number(job, "died");
        struct tm tm;
        char when[40] = "";
        if (gmtime_r(&died, &tm))
            strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &tm);
        put_text(stdout, id_of(job));
        printf("  %s  %lld bytes, lost with %lld servers\n", when, number(job, "bytes"), number(job, "deliveries"));
    }
    return EXIT_FINE;
}

/* Has a job run again; gives the exit status. */
static int retry(sm_client *client, const char *id) {
    char path[128], *text = NULL;
    sm_error err;
    if (strlen(id) > 64 || strspn(id, "0123456789abcdef") != strlen(id)) {
        complain_of(id, "this is no job's id");
        return EXIT_USAGE;
    }
    snprintf(path, sizeof path, "/v1/dead-jobs/%s", id);
    sm_result result = sm_post(client, path, &text, &err);
    sm_text_free(text);
    if (result == SM_SUCCESS)
        printf("%s waits again\n", id);
    else
        complain_of(id, "%s", err.message);
    return server_status(result);
}

/* Has all dead jobs of the list run again; gives the exit status. */
static int retry_all(sm_client *client, const json_t *list) {
    size_t i;
    const json_t *job;
    int status = EXIT_FINE;
    json_array_foreach(json_object_get(list, "jobs"), i, job) worst(&status, retry(client, id_of(job)));
    return status;
}

/* Does what the flags ask for; gives the exit status. */
static int run_with(sm_client *client, const struct args *args) {
    int status = EXIT_FINE;
    if (retries && !all) {
        for (int i = 0; i < args->files; i++)
            worst(&status, retry(client, args->file[i]));
        return status;
    }
    json_t *list = get_list(client, &status);
    if (list)
        status = retries ? retry_all(client, list) : show(list);
    json_decref(list);
    return status;
}

/* Runs smc jobs; gives the exit status. */
static int run_jobs(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&jobs_command, argc, argv, &args, &status))
        return status;
    sm_client *client = NULL;
    if (retries ? (args.files == 0) == !all : args.files || all) {
        complain("either 'smc jobs' alone, or with --retry and IDs or --all");
        status = EXIT_USAGE;
    } else {
        client = server_client(&status);
    }
    if (client)
        status = run_with(client, &args);
    sm_client_free(client);
    args_free(&args);
    return status;
}

const struct command jobs_command = {.name = "jobs",
                                     .operands = "[ID ...]",
                                     .help = "show the queue that servers share, and have dead jobs run again",
                                     .run = run_jobs,
                                     .flags = flags,
                                     .is_remote = 1};
