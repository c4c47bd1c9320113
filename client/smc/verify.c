/* verify.c - smc verify: whether an object is what a server has made and signed, without asking any. */
#include "digest.h"
#include "key.h"
#include "signature.h"
#include "smc.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 16 };

static const char *signature, *trusted;

static const struct flag flags[] = {
    {"signature", 0, FLAG_TEXT, &signature, "FILE", "what smc compile --signature wrote (default: OBJECT.sig)"},
    {"trusted-keys", 0, FLAG_TEXT, &trusted, "PEM,...", "public keys of Ed25519, of which one has to have signed it"},
    {0}};

/* Reads the keys that are trusted; gives their number, 0 after a message. */
static size_t read_keys(sm_signing_key *keys[KEYS]) {
    size_t n = 0;
    const char *const *files = server_split(trusted ? trusted : "");
    if (!files)
        return 0;
    for (const char *const *f = files; *f; f++) {
        keys[n] = sm_signing_key_read(*f, 0);
        if (!keys[n++]) {
            complain_of(*f, "this is no public key of Ed25519 (PEM)");
            return 0;
        }
    }
    if (!n)
        complain("--trusted-keys has to name a key");
    return n;
}

/* Checks the object by the signature's line; gives the exit status. */
static int check(const char *file, const char *object, size_t len, char *line, sm_signing_key *const *keys,
                 size_t count) {
    unsigned char digest[SM_DIGEST_BYTES];
    struct sm_key key;
    line[strcspn(line, "\r\n")] = 0;
    size_t n = strcspn(line, " ");
    if (!sm_key_read(line, n, &key) || !line[n]) {
        complain_of(file, "its signature's file is none");
        return EXIT_INPUT;
    }
    if (sm_digest(object, len, digest) != SM_OK)
        return EXIT_MACHINE;
    if (!sm_signature_check(keys, count, line + n + 1, key.byte, NULL, digest)) {
        complain_of(file, "none of the trusted keys has signed this");
        return EXIT_INPUT;
    }
    if (!common.quiet)
        printf("%s: signed, key %.*s\n", file, (int)n, line);
    return EXIT_FINE;
}

/* Reads object and signature, and checks them; gives the exit status. */
static int verify(const char *file) {
    sm_signing_key *keys[KEYS] = {NULL};
    char beside[4096];
    size_t len, line_len, count = read_keys(keys);
    int status = EXIT_USAGE;
    snprintf(beside, sizeof beside, "%s.sig", file);
    char *object = count ? file_read(file, &len) : NULL;
    char *line = object ? file_read(signature ? signature : beside, &line_len) : NULL;
    if (line)
        status = check(file, object, len, line, keys, count);
    else if (count)
        status = EXIT_FILE;
    free(object);
    free(line);
    for (int i = 0; i < KEYS; i++)
        sm_signing_key_free(keys[i]);
    return status;
}

/* Runs smc verify; gives the exit status. */
static int run_verify(int argc, char **argv) {
    struct args args;
    int status;
    if (!args_read(&verify_command, argc, argv, &args, &status))
        return status;
    status = EXIT_USAGE;
    if (args.files != 1)
        complain("there has to be one object; see smc help verify");
    else
        status = verify(args.file[0]);
    args_free(&args);
    return status;
}

const struct command verify_command = {.name = "verify",
                                       .operands = "OBJECT",
                                       .help = "say whether a server has signed an object\n"
                                               "The key by which it was compiled is printed. No server is asked.",
                                       .run = run_verify,
                                       .flags = flags};
