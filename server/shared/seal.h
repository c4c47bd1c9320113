/* seal.h - what is kept in the shared tier, so that a server that lies there is found out.
 *
 *     "SMDSEAL1"   32 bytes HMAC-SHA256 (RFC 2104) of the rest, the cache's key and that word   the content by zstd
 *
 * The HMAC's key is the operators': whoever has it may write what others execute.
 */
#ifndef SMD_SEAL_H
#define SMD_SEAL_H

#include "artifact.h"
#include "error.h"
#include "key.h"
#include "result.h"

enum { SEAL_SECRET_LEAST = 32, SEAL_SECRET_MOST = 4096, SEAL_HEAD = 40, SEAL_MAC = 32 };

struct seal_secret {
    unsigned char bytes[SEAL_SECRET_MOST];
    size_t len;
};

/* The bytes of a file, without a line's end after them. SM_INVALID_OPTION, naming the setting, if they are fewer or more
 * than they may be; SM_IO. */
sm_status seal_secret_read(const char *path, struct seal_secret *secret, struct error *err);

/* The same for the setting NAME, which seals WHAT ("entries") and is nothing without the key: PATH, of the setting mac_key,
 * must not be empty. */
sm_status seal_secret_for(const char *name, const char *what, const char *path, struct seal_secret *secret,
                          struct error *err);

/* Thread-safe: the HMAC of a file of the cache on disk, COUNT pieces of bytes under KEY; another one than a seal's. 0 if
 * libcrypto fails. */
int seal_file(const struct seal_secret *secret, const struct sm_key *key, const sm_slice *piece, size_t count,
              unsigned char mac[SEAL_MAC]);

/* Thread-safe: 1 if the bytes end with that of those before. */
int seal_file_check(const struct seal_secret *secret, const struct sm_key *key, sm_slice file);

/* Thread-safe: what is to be kept under KEY; *new*, by free, NULL if out of memory. */
unsigned char *seal_close(const struct seal_secret *secret, const struct sm_key *key, sm_slice content, size_t *len);

/* Thread-safe: the bytes of the content, as the seal says; 0 if it is none of ours, or was altered, or of another key. */
size_t seal_check(const struct seal_secret *secret, const struct sm_key *key, sm_slice sealed);

/* Thread-safe: the result that is sealed under KEY, of MOST bytes, held for CLIENT; *new*. NULL: it is damaged, or, with
 * *REFUSED not SM_OK, there is no room for it. */
struct result *seal_open_result(const struct seal_secret *secret, const struct sm_key *key, sm_slice sealed,
                                size_t most, struct budget *b, uint64_t client, sm_status *refused);

/* The content of what seal_check has found to be in order, into exactly as many bytes. 0 if that fails. */
int seal_open(sm_slice sealed, unsigned char *content, size_t len);

#endif
