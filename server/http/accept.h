/* accept.h - which media type to answer with, and how compressed (RFC 9110, sections 12.5.1 and 12.5.3). */
#ifndef SMD_ACCEPT_H
#define SMD_ACCEPT_H

/* Of OFFERS (NULL-terminated, the most wanted first) the one that the Accept header wants most; the first offer if
 * the header is NULL or empty; -1 if it wants none of them. */
int accept_choose(const char *accept, const char *const *offers);

/* How an answer's body may be compressed. */
enum coding { CODING_NONE, CODING_GZIP, CODING_ZSTD, CODINGS };

extern const char *const coding_names[CODINGS]; /* as Content-Encoding has them; NULL of CODING_NONE */

/* 1 if the Accept-Encoding header (may be NULL) names the coding, with a q over 0. "*" names none. */
int accept_takes(const char *header, enum coding coding);

/* The coding that the header wants most; zstd rather than gzip if it wants both as much. */
enum coding accept_coding(const char *header);

#endif
