/* Stands between a program and the C library.
 *
 * QUIETZONE_RECORD names a log, and QUIETZONE_RECORD_PREFIX the beginning of the paths that are watched: each change of
 * such a file, each fsync of it or of its folder, and each write to standard output is a record, in the order in which
 * they happened. A power cut is then a prefix of the log from which what was not synced is left out.
 *
 * QUIETZONE_CLOCK_OFFSET names a file with a number of seconds that is added to the time of day, read at each call.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int log_descriptor = -1;
static const char *prefix;
static char names[1024][512];

/* open, write and their like as they are without this library. */
#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
    const char *log = getenv("QUIETZONE_RECORD");
    prefix = getenv("QUIETZONE_RECORD_PREFIX");
    if (log && prefix) {
        log_descriptor = REAL(int, open64, const char *, int, ...)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

static int is_watched(int descriptor) {
    return log_descriptor >= 0 && descriptor >= 0 && descriptor < 1024 && names[descriptor][0];
}

/* A record: kind, length of the name, offset, length of the data; then the name and the data. */
static void record(char kind, const char *name, int64_t offset, const void *data, size_t length) {
    char head[32];
    uint32_t name_length = strlen(name);
    uint64_t data_length = length;
    memset(head, 0, sizeof head);
    head[0] = kind;
    memcpy(head + 4, &name_length, 4);
    memcpy(head + 8, &offset, 8);
    memcpy(head + 16, &data_length, 8);
    ssize_t (*real)(int, const void *, size_t) = REAL(ssize_t, write, int, const void *, size_t);
    if (real(log_descriptor, head, 24) != 24 || real(log_descriptor, name, name_length) != (ssize_t)name_length ||
        (data && real(log_descriptor, data, length) != (ssize_t)length)) {
        abort();
    }
}

static int opened(int descriptor, const char *path, int flags, int existed) {
    if (log_descriptor < 0 || descriptor < 0 || descriptor >= 1024) return descriptor;
    pthread_mutex_lock(&lock);
    names[descriptor][0] = 0;
    /* The folder itself is watched too, for its fsync. */
    size_t folder = strrchr(prefix, '/') - prefix;
    int is_folder = strlen(path) == folder && !strncmp(path, prefix, folder);
    if ((!strncmp(path, prefix, strlen(prefix)) || is_folder) && strlen(path) < 500) {
        strcpy(names[descriptor], path);
        if (!existed && !is_folder) record('C', path, 0, NULL, 0);
        if (existed && (flags & O_TRUNC)) record('T', path, 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static int open_any(const char *path, int flags, mode_t mode) {
    int existed = access(path, F_OK) == 0;
    int saved = errno;
    int descriptor = REAL(int, open64, const char *, int, ...)(path, flags, mode);
    if (descriptor >= 0) errno = saved;
    return opened(descriptor, path, flags, existed);
}

int open(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return open_any(path, flags, mode);
}

int close(int descriptor) {
    if (is_watched(descriptor)) names[descriptor][0] = 0;
    return REAL(int, close, int)(descriptor);
}

ssize_t write(int descriptor, const void *data, size_t length) {
    ssize_t (*real)(int, const void *, size_t) = REAL(ssize_t, write, int, const void *, size_t);
    if (descriptor == 1 && log_descriptor >= 0) {
        pthread_mutex_lock(&lock);
        record('O', "stdout", 0, data, length);
        pthread_mutex_unlock(&lock);
        return real(descriptor, data, length);
    }
    if (!is_watched(descriptor)) return real(descriptor, data, length);
    pthread_mutex_lock(&lock);
    int64_t offset = lseek64(descriptor, 0, SEEK_CUR);
    ssize_t count = real(descriptor, data, length);
    if (count > 0) record('W', names[descriptor], offset, data, count);
    pthread_mutex_unlock(&lock);
    return count;
}

static ssize_t write_at(int descriptor, const void *data, size_t length, off64_t offset) {
    ssize_t (*real)(int, const void *, size_t, off64_t) = REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    if (!is_watched(descriptor)) return real(descriptor, data, length, offset);
    pthread_mutex_lock(&lock);
    ssize_t count = real(descriptor, data, length, offset);
    if (count > 0) record('W', names[descriptor], offset, data, count);
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t offset) {
    return write_at(descriptor, data, length, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off64_t offset) {
    return write_at(descriptor, data, length, offset);
}

static int cut(int descriptor, off64_t length) {
    int (*real)(int, off64_t) = REAL(int, ftruncate64, int, off64_t);
    if (!is_watched(descriptor)) return real(descriptor, length);
    pthread_mutex_lock(&lock);
    int result = real(descriptor, length);
    if (result == 0) record('T', names[descriptor], length, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t length) { return cut(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return cut(descriptor, length); }

int fsync(int descriptor) {
    int result = REAL(int, fsync, int)(descriptor);
    if (result == 0 && is_watched(descriptor)) {
        pthread_mutex_lock(&lock);
        record('S', names[descriptor], 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int fdatasync(int descriptor) {
    int result = REAL(int, fdatasync, int)(descriptor);
    if (result == 0 && is_watched(descriptor)) {
        pthread_mutex_lock(&lock);
        record('S', names[descriptor], 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int unlink(const char *path) {
    int result = REAL(int, unlink, const char *)(path);
    if (result == 0 && log_descriptor >= 0 && !strncmp(path, prefix, strlen(prefix))) {
        pthread_mutex_lock(&lock);
        record('U', path, 0, NULL, 0);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

static long offset_seconds(void) {
    const char *path = getenv("QUIETZONE_CLOCK_OFFSET");
    if (!path) return 0;
    char text[32] = "";
    int descriptor = REAL(int, open64, const char *, int, ...)(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    if (read(descriptor, text, sizeof text - 1) < 0) text[0] = 0;
    REAL(int, close, int)(descriptor);
    return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(int, clock_gettime, clockid_t, struct timespec *)(clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += offset_seconds();
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int result = REAL(int, gettimeofday, struct timeval *, void *)(time, zone);
    if (result == 0) time->tv_sec += offset_seconds();
    return result;
}
