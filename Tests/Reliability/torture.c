// Fails one call of a function of the C library, for torture.py.
//
// QUIETZONE_TORTURE is function:call:errno. The errno 0 makes a read or a write short instead, by half. Without it the
// calls are only counted. QUIETZONE_TORTURE_COUNTS is a file of 64-bit numbers, one for each function of `functions`;
// it is mapped, so that the counts survive a process that is killed. Only the child of the process
// QUIETZONE_TORTURE_PARENT is affected, not the children that it starts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum function {
    OPEN, READ, PREAD, WRITE, PWRITE, FSYNC, RENAME, UNLINK, MKDIR, FTRUNCATE, SOCKET, CONNECT, SEND, RECV, POLL,
    EPOLL_WAIT, PIPE, BIND, LISTEN, ACCEPT, INOTIFY, MALLOC, FUNCTIONS
};

static const char *const functions[FUNCTIONS] = {
    "open", "read", "pread", "write", "pwrite", "fsync", "rename", "unlink", "mkdir", "ftruncate", "socket", "connect",
    "send", "recv", "poll", "epoll_wait", "pipe", "bind", "listen", "accept", "inotify", "malloc",
};
static _Atomic long *counts;
static int target = -1, target_errno;
static long target_call;

__attribute__((constructor)) static void start(void) {
    const char *parent = getenv("QUIETZONE_TORTURE_PARENT"), *path = getenv("QUIETZONE_TORTURE_COUNTS");
    if (!parent || !path || atoi(parent) != getppid()) return;
    char name[32];
    const char *fault = getenv("QUIETZONE_TORTURE");
    if (fault && sscanf(fault, "%31[^:]:%ld:%d", name, &target_call, &target_errno) == 3)
        for (int i = 0; i < FUNCTIONS; i++)
            if (!strcmp(name, functions[i])) target = i;
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *map = mmap(NULL, FUNCTIONS * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file < 0 || map == MAP_FAILED || (fault && target < 0)) abort();
    close(file);
    counts = map;
}

// Counts a call and indicates whether it is the one to fail. `size` becomes the half of itself if it is to be short.
static int fails(enum function function, size_t *size) {
    if (!counts || atomic_fetch_add(&counts[function], 1) + 1 != target_call || (int)function != target) return 0;
    if (target_errno) {
        errno = target_errno;
        return 1;
    }
    if (size && *size > 1) *size /= 2;
    return 0;
}

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define WRAP(function, type, name, parameters, arguments, size) \
    type name parameters { \
        NEXT(name); \
        return fails(function, size) ? -1 : next arguments; \
    }

// Indicates whether libdispatch looks at the state of its own threads: it ends the process if it cannot open that.
static int is_thread_state(const char *path) {
    int thread, end = 0;
    return sscanf(path, "/proc/%d/stat%n", &thread, &end) == 1 && end && !path[end];
}

#define WRAP_OPEN(name, parameters, arguments) \
    int name parameters { \
        NEXT(name); \
        mode_t mode = 0; \
        if (flags & (O_CREAT | __O_TMPFILE)) { \
            va_list list; \
            va_start(list, flags); \
            mode = va_arg(list, mode_t); \
            va_end(list); \
        } \
        return !is_thread_state(path) && fails(OPEN, NULL) ? -1 : next arguments; \
    }

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
WRAP_OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
WRAP(PREAD, ssize_t, pread, (int file, void *data, size_t size, off_t at), (file, data, size, at), &size)
WRAP(PREAD, ssize_t, pread64, (int file, void *data, size_t size, off64_t at), (file, data, size, at), &size)
WRAP(PWRITE, ssize_t, pwrite, (int file, const void *data, size_t size, off_t at), (file, data, size, at), &size)
WRAP(PWRITE, ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at), (file, data, size, at), &size)
WRAP(FSYNC, int, fsync, (int file), (file), NULL)
WRAP(FSYNC, int, fdatasync, (int file), (file), NULL)
WRAP(RENAME, int, rename, (const char *from, const char *to), (from, to), NULL)
WRAP(UNLINK, int, unlink, (const char *path), (path), NULL)
WRAP(MKDIR, int, mkdir, (const char *path, mode_t mode), (path, mode), NULL)
WRAP(FTRUNCATE, int, ftruncate, (int file, off_t size), (file, size), NULL)
WRAP(FTRUNCATE, int, ftruncate64, (int file, off64_t size), (file, size), NULL)
WRAP(SOCKET, int, socket, (int domain, int type, int protocol), (domain, type, protocol), NULL)
WRAP(CONNECT, int, connect, (int file, const struct sockaddr *to, socklen_t size), (file, to, size), NULL)
WRAP(SEND, ssize_t, send, (int file, const void *data, size_t size, int flags), (file, data, size, flags), &size)
WRAP(SEND, ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags), NULL)
WRAP(RECV, ssize_t, recv, (int file, void *data, size_t size, int flags), (file, data, size, flags), &size)
WRAP(RECV, ssize_t, recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags), NULL)
WRAP(POLL, int, poll, (struct pollfd *files, nfds_t count, int time), (files, count, time), NULL)
WRAP(EPOLL_WAIT, int, epoll_wait, (int file, struct epoll_event *events, int count, int time),
     (file, events, count, time), NULL)
WRAP(PIPE, int, pipe, (int files[2]), (files), NULL)
WRAP(PIPE, int, pipe2, (int files[2], int flags), (files, flags), NULL)

WRAP(BIND, int, bind, (int file, const struct sockaddr *to, socklen_t size), (file, to, size), NULL)
WRAP(LISTEN, int, listen, (int file, int waiting), (file, waiting), NULL)
WRAP(ACCEPT, int, accept, (int file, struct sockaddr *from, socklen_t *size), (file, from, size), NULL)
WRAP(ACCEPT, int, accept4, (int file, struct sockaddr *from, socklen_t *size, int flags), (file, from, size, flags),
     NULL)
WRAP(INOTIFY, int, inotify_init1, (int flags), (flags), NULL)
WRAP(INOTIFY, int, inotify_add_watch, (int file, const char *path, uint32_t events), (file, path, events), NULL)

// By the names that glibc has for itself, because dlsym allocates too.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails(MALLOC, NULL) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(MALLOC, NULL) ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails(MALLOC, NULL) ? NULL : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) {
    return fails(MALLOC, NULL) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **block, size_t alignment, size_t size) {
    if (fails(MALLOC, NULL)) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

// Indicates whether a call transfers the number of an eventfd: the kernel never fails it, and threads wake each other
// by it.
static int wakes(int file, size_t size) {
    char path[32], name[32];
    if (size != 8) return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, name, sizeof name - 1);
    return length > 0 && (name[length] = 0, strstr(name, "eventfd") != NULL);
}

ssize_t read(int file, void *data, size_t size) {
    NEXT(read);
    return !wakes(file, size) && fails(READ, &size) ? -1 : next(file, data, size);
}

// Errors are written to standard error, so its calls do not fail: a lost message would look like a missing one.
ssize_t write(int file, const void *data, size_t size) {
    NEXT(write);
    return file != STDERR_FILENO && !wakes(file, size) && fails(WRITE, &size) ? -1 : next(file, data, size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    NEXT(writev);
    return file != STDERR_FILENO && fails(WRITE, NULL) ? -1 : next(file, parts, count);
}
