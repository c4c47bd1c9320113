/* notify.c - see notify.h. */
#include "notify.h"

#include "clock.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void notify(const char *lines) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    size_t len = path ? strlen(path) : 0;
    if ((len && path[0] != '/' && path[0] != '@') || len < 2 || len >= sizeof a.sun_path)
        return;
    memcpy(a.sun_path, path, len);
    if (path[0] == '@') /* an abstract socket */
        a.sun_path[0] = 0;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    sendto(fd, lines, strlen(lines), MSG_NOSIGNAL, (struct sockaddr *)&a,
           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
    close(fd);
}

void notify_reloading(void) {
    char lines[80];
    snprintf(lines, sizeof lines, "RELOADING=1\nMONOTONIC_USEC=%llu", (unsigned long long)sm_clock_us());
    notify(lines);
}
