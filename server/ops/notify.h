/* notify.h - messages to a service manager, after sd_notify(3): a datagram to the socket that NOTIFY_SOCKET names.
 * Nothing happens where there is none. */
#ifndef SMD_NOTIFY_H
#define SMD_NOTIFY_H

/* Lines of NAME=VALUE: "READY=1", "STOPPING=1" … */
void notify(const char *lines);

/* "RELOADING=1" with the time that the manager asks for; "READY=1" ends it. */
void notify_reloading(void);

#endif
