/* accept.h - which media type to answer with (RFC 9110, section 12.5.1). */
#ifndef SMD_ACCEPT_H
#define SMD_ACCEPT_H

/* Of OFFERS (NULL-terminated, the most wanted first) the one that the Accept header wants most; the first offer if
 * the header is NULL or empty; -1 if it wants none of them. */
int accept_choose(const char *accept, const char *const *offers);

#endif
