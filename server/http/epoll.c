/* epoll.c - taking a descriptor out of an epoll set that it has left already is no error.
 *
 * MHD_quiesce_daemon and the threads of libmicrohttpd's pool (0.9.75, daemon.c) both take the listening socket out of a
 * thread's set when smd is told to stop; whoever comes second is told ENOENT, and ends the process. This definition
 * stands before the C library's for the whole program.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sys/epoll.h>

typedef int control(int set, int operation, int fd, struct epoll_event *event);

__attribute__((visibility("default"))) control epoll_ctl;

int epoll_ctl(int set, int operation, int fd, struct epoll_event *event) {
    static _Atomic(control *) library; /* the C library's; the same for whoever looks first */
    control *theirs = library;
    if (!theirs) {
        *(void **)&theirs = dlsym(RTLD_NEXT, "epoll_ctl");
        library = theirs;
    }
    int result = theirs(set, operation, fd, event);
    return result != 0 && operation == EPOLL_CTL_DEL && errno == ENOENT ? 0 : result;
}
