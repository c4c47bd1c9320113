/* capture.c - stderr as a bounded memory file, so that what LLVM prints there can be read back.
 *
 * In a worker stderr is such a file already: the fork server created it, sealed it against growing, and smd reads its
 * end after a crash. It is written from its start for each job; the position says how much there is.
 */
#include "base.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* 1 if the file cannot grow: the log that the fork server created. */
static int is_sealed(int fd) {
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_GROW);
}

/* Makes stderr a memory file of fixed size, unless it is one; without memory it stays as it is. */
void capture_init(void) {
    if (is_sealed(STDERR_FILENO))
        return;
    int fd = memfd_create("smd-worker-log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return;
    if (ftruncate(fd, SM_LOG_SIZE) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        dup2(fd, STDERR_FILENO);
    close(fd);
}

static unsigned char *stage_byte; /* the last of the log; NULL unless smd reads it */

/* Maps the log's last byte, in which the stage is noted, if smd reads the log. */
void capture_share(void) {
    void *log = is_sealed(STDERR_FILENO)
                    ? mmap(NULL, SM_LOG_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, STDERR_FILENO, 0)
                    : MAP_FAILED;
    stage_byte = log == MAP_FAILED ? NULL : (unsigned char *)log + SM_LOG_SIZE - 1;
}

/* Notes the stage in the log, so that smd knows it after a crash. */
void capture_stage(int stage) {
    if (stage_byte)
        *(volatile unsigned char *)stage_byte = (unsigned char)(stage + 1);
}

/* Copies the begin of the log to TEXT, with a zero at its end; gives its length. */
size_t capture_text(char *text, size_t size) {
    off_t end = lseek(STDERR_FILENO, 0, SEEK_CUR);
    size_t want = end > 0 && (size_t)end < size ? (size_t)end : size - 1;
    ssize_t n = end > 0 ? pread(STDERR_FILENO, text, want, 0) : 0;
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}
