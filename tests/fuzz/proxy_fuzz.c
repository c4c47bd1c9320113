/* Whom a proxy speaks for: the PROXY protocol, and the header Forwarded. What stands before the last element, which the
 * proxy has written, never decides. */
#include "fuzz.h"

#include "proxies.h"
#include "proxyline.h"

#include <arpa/inet.h>
#include <string.h>

static void read_begin(const uint8_t *data, size_t size) {
    struct proxyline line, less;
    long n = proxyline_read(data, size, &line);
    must(n >= -1 && n <= 16 + 65535 && (n > 0 || !line.has_client));
    for (size_t part = 0; part < size && part <= PROXYLINE_HEAD; part++) {
        long m = proxyline_read(data, part, &less);
        must(m == 0 || m == n);
        must(!less.has_client || memcmp(&less.client, &line.client, sizeof line.client) == 0);
    }
    if (size >= PROXYLINE_HEAD)
        must(n != 0);
}

static void read_header(const uint8_t *data, size_t size) {
    static const char last[] = ",for=203.0.113.7";
    struct error err;
    struct proxies p;
    struct in6_addr client, expected;
    struct in_addr v4;
    char *list = malloc(size + sizeof last);
    must(list && proxies_read(&p, "10.0.0.0/8", "forwarded", &err) == SM_OK);
    must(inet_pton(AF_INET, "203.0.113.7", &v4) == 1);
    expected = address_of_v4(&v4);
    memcpy(list, data, size);
    list[size] = 0;
    forwarded_client(&p, list, &client);
    proxies_client(&p, list, &client);
    if (!memchr(data, 0, size)) {
        memcpy(list + size, last, sizeof last);
        must(!forwarded_client(&p, list, &client) || memcmp(&client, &expected, sizeof client) == 0);
    }
    free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    read_begin(data, size);
    read_header(data, size);
    return 0;
}
