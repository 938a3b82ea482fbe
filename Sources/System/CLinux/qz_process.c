#define _GNU_SOURCE
#include "qz_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit(int resource, rlim_t most) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    if (limits.rlim_max < most) most = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = most;
    setrlimit(resource, &limits);
}

// What the new process does until it is another program: calls only that are safe after a fork of many threads.
static void become(
    char *const *arguments, int document, int output, int errors, int failure, pid_t parent,
    const qz_process_limits *limits, const void *filter, int paths
) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Whoever started it may have ended before it was asked to be killed with it.
    if (getppid() != parent) _exit(127);
    if (limits) {
        limit(RLIMIT_DATA, limits->memory);
        limit(RLIMIT_CPU, limits->seconds);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, limits->output);
        // A cache of fonts that cannot be written is no reason to die.
        signal(SIGXFSZ, SIG_IGN);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    // Above all that they are copied to; what is copied stays open.
    int nothing = fcntl(open("/dev/null", O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 10);
    int out = fcntl(output, F_DUPFD_CLOEXEC, 10), words = fcntl(errors, F_DUPFD_CLOEXEC, 10);
    int rules = paths < 0 ? paths : fcntl(paths, F_DUPFD_CLOEXEC, 10);
    int report = fcntl(failure, F_DUPFD_CLOEXEC, 10);
    int from = document < 0 ? document : fcntl(document, F_DUPFD_CLOEXEC, 10);
    if (report >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(words, STDERR_FILENO) >= 0 && (document < 0 || dup2(from, QZ_DOCUMENT_DESCRIPTOR) >= 0)) {
        // The start of the program closes the rest, such as sockets of a library that leaves them open.
        syscall(SYS_close_range, document < 0 ? 3u : QZ_DOCUMENT_DESCRIPTOR + 1u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
        qz_sandbox_enter_as_program(filter, rules);
        execvp(arguments[0], arguments);
    }
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    (void)written;
    _exit(127);
}

static void close_both(const int pipe[2]) {
    for (int end = 0; end < 2; end++) {
        if (pipe[end] >= 0) close(pipe[end]);
    }
}

// MARK: The helper

enum { MOST_ARGUMENTS = 24, MOST_TEXT = 2048 };

// The most that the helper grants, whatever a worker asks for: workers run one program after the other.
enum { MOST_PROGRAMS = 2, MOST_SECONDS = 3600 };
static const size_t most_memory = (size_t)1 << 30;
// The programs that the helper has started and not ended.
static int running;

// A request to the helper: to start a program, or to end one that it has started.
struct request {
    // The program to end; 0 to start one.
    pid_t process;
    // The limits of the program to start, and its arguments one after the other, each with a terminating zero.
    qz_process_limits limits;
    char text[MOST_TEXT];
};

struct reply {
    // An errno, or 0.
    int code;
    // The process that was started, or the status of the one that was ended.
    int value;
};

// The descriptors of a program to start, in the order in which they are sent; the document may be missing.
enum { OUTPUT, ERRORS, FAILURE, DOCUMENT, MOST_DESCRIPTORS };

union descriptors {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
};

// The socket to the helper; -1 if this process starts its programs itself.
static int helper = -1;

// Starts the program of a request, if it is one of `programs`.
static struct reply start_program(
    struct request *asked, const char *const *programs, const int *descriptors, size_t count, const void *filter
) {
    char *arguments[MOST_ARGUMENTS + 1] = {NULL};
    // A compromised worker may send any text. Two zeros at its end also end the arguments.
    if (asked->text[MOST_TEXT - 2] || asked->text[MOST_TEXT - 1]) return (struct reply){.code = E2BIG};
    char *text = asked->text;
    for (size_t index = 0; index < MOST_ARGUMENTS && *text; index++, text += strlen(text) + 1) arguments[index] = text;
    if (*text) return (struct reply){.code = E2BIG};
    while (*programs && arguments[0] && strcmp(*programs, arguments[0]) != 0) programs++;
    int is_allowed = *programs && arguments[0] && count >= DOCUMENT && asked->limits.kind == QZ_READS;
    if (!is_allowed) return (struct reply){.code = EPERM};
    if (running >= MOST_PROGRAMS) return (struct reply){.code = EAGAIN};
    if (asked->limits.memory > most_memory) asked->limits.memory = most_memory;
    if (asked->limits.seconds > MOST_SECONDS) asked->limits.seconds = MOST_SECONDS;
    asked->limits.output = 0;
    int document = count > DOCUMENT ? descriptors[DOCUMENT] : -1;
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        become(
            arguments, document, descriptors[OUTPUT], descriptors[ERRORS], descriptors[FAILURE], parent,
            &asked->limits, filter, -1);
    }
    if (process < 0) return (struct reply){.code = errno};
    running++;
    return (struct reply){.value = process};
}

// Ends a program. It is a child that has not been waited for, so its number cannot belong to another process.
static struct reply end_program(pid_t process) {
    int status = 0;
    pid_t ended = process > 0 ? waitpid(process, &status, WNOHANG) : -1;
    if (ended < 0) return (struct reply){.code = ESRCH};
    if (ended == 0) {
        kill(process, SIGKILL);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    }
    running--;
    return (struct reply){.value = status};
}

// Serves requests until the other end of the socket is closed.
static void serve(int channel, const char *const *programs) {
    const void *filter = NULL;
    while (1) {
        struct request asked;
        struct iovec part = {&asked, sizeof asked};
        union descriptors received;
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = &received, .msg_controllen = sizeof received};
        ssize_t size = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
        if (size < 0 && errno == EINTR) continue;
        // The worker has ended, or the message is not one that workers send: shorter, longer, or with more descriptors.
        if (size != (ssize_t)sizeof asked || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) _exit(0);
        int descriptors[MOST_DESCRIPTORS];
        size_t count = 0;
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
            count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            memcpy(descriptors, CMSG_DATA(head), count * sizeof(int));
        }
        // Most workers render no document.
        if (!asked.process && !filter) filter = qz_sandbox_program_filter(QZ_READS);
        struct reply answer = asked.process ? end_program(asked.process)
                                            : start_program(&asked, programs, descriptors, count, filter);
        for (size_t index = 0; index < count; index++) close(descriptors[index]);
        if (send(channel, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) _exit(0);
    }
}

int qz_helper_start(const char *const *programs) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        // It must not keep the pipes of its parent open, whose closing tells others that the parent has ended.
        int nothing = open("/dev/null", O_RDWR);
        if (dup2(ends[1], 3) < 0) _exit(1);
        for (int descriptor = 0; descriptor < 3; descriptor++) dup2(nothing, descriptor);
        syscall(SYS_close_range, 4u, ~0u, 0u);
        fcntl(3, F_SETFD, FD_CLOEXEC);
        serve(3, programs);
    }
    int code = process < 0 ? errno : 0;
    close(ends[1]);
    if (code == 0) {
        helper = ends[0];
    } else {
        close(ends[0]);
    }
    return code;
}

// Sends a request with descriptors, and waits for its reply.
static struct reply ask(struct request *asked, const int *descriptors, size_t count) {
    struct iovec part = {asked, sizeof *asked};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union descriptors sent = {.bytes = {0}};
    if (count > 0) {
        message.msg_control = &sent;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        sent.head = (struct cmsghdr){CMSG_LEN(count * sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&sent.head), descriptors, count * sizeof(int));
    }
    struct reply answer;
    struct iovec returned = {&answer, sizeof answer};
    struct msghdr back = {.msg_iov = &returned, .msg_iovlen = 1};
    ssize_t size = sendmsg(helper, &message, MSG_NOSIGNAL);
    // Not recv(), which the filter of this process does not allow.
    if (size >= 0) {
        do {
            size = recvmsg(helper, &back, 0);
        } while (size < 0 && errno == EINTR);
    }
    if (size != (ssize_t)sizeof answer) return (struct reply){.code = size < 0 ? errno : ESRCH};
    return answer;
}

// Has the helper start a program; an errno, or 0.
static int start_by_helper(
    pid_t *process, char *const *arguments, const int descriptors[MOST_DESCRIPTORS], const qz_process_limits *limits
) {
    struct request asked = {.limits = *limits};
    size_t length = 0;
    for (size_t index = 0; arguments[index]; index++) {
        size_t size = strlen(arguments[index]) + 1;
        // start_program() needs two zeros after the text.
        if (index >= MOST_ARGUMENTS || length + size >= MOST_TEXT) return E2BIG;
        memcpy(asked.text + length, arguments[index], size);
        length += size;
    }
    struct reply answer = ask(&asked, descriptors, descriptors[DOCUMENT] < 0 ? DOCUMENT : MOST_DESCRIPTORS);
    *process = answer.value;
    return answer.code;
}

static void close_pipes(qz_process *started) {
    if (started->output >= 0) close(started->output);
    if (started->errors >= 0) close(started->errors);
    started->output = started->errors = -1;
}

// The filters of the kinds of programs, for this process and not its helper.
static const void *program_filters[QZ_RECEIVES_LOCAL + 1];
static pthread_once_t program_filters_once = PTHREAD_ONCE_INIT;

static void make_program_filters(void) {
    for (int kind = 0; kind <= QZ_RECEIVES_LOCAL; kind++) {
        program_filters[kind] = qz_sandbox_program_filter((qz_program_kind)kind);
    }
}

int qz_process_start(
    qz_process *started, char *const *arguments, int document, int file, const qz_process_limits *limits
) {
    int output[2] = {-1, -1}, errors[2], failure[2];
    if (file < 0 && pipe2(output, O_CLOEXEC) != 0) return errno;
    if (pipe2(errors, O_CLOEXEC) != 0) {
        int code = errno;
        close_both(output);
        return code;
    }
    if (pipe2(failure, O_CLOEXEC) != 0) {
        int code = errno;
        close_both(output);
        close_both(errors);
        return code;
    }
    pid_t process = -1;
    qz_program_kind kind = limits ? limits->kind : QZ_READS;
    int code = 0, is_helped = helper >= 0 && limits && kind == QZ_READS;
    if (is_helped) {
        int descriptors[MOST_DESCRIPTORS] = {output[1], errors[1], failure[1], document};
        code = start_by_helper(&process, arguments, descriptors, limits);
        if (code != 0) process = -1;
    } else {
        // Before the fork: making them allocates memory.
        if (limits) pthread_once(&program_filters_once, make_program_filters);
        const void *filter = limits ? program_filters[kind] : NULL;
        // A program that only reads has the rules of the worker that starts it.
        int paths = kind == QZ_READS    ? -1
                    : kind == QZ_WRITES ? qz_sandbox_writer_paths(arguments, document, file)
                                        : qz_sandbox_receiver_paths(arguments);
        pid_t parent = getpid();
        process = fork();
        if (process == 0) {
            become(
                arguments, document, file < 0 ? output[1] : file, errors[1], failure[1], parent, limits, filter, paths);
        }
        if (process < 0) code = errno;
        if (paths >= 0) close(paths);
    }
    if (file < 0) close(output[1]);
    close(errors[1]);
    close(failure[1]);
    if (process > 0) {
        // Both set it, so that it is set for either of them.
        if (!is_helped) setpgid(process, process);
        ssize_t count;
        do {
            count = read(failure[0], &code, sizeof code);
        } while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) code = 0;
    }
    close(failure[0]);
    *started = (qz_process){
        .process = process, .output = output[0], .errors = errors[0], .is_helped = is_helped};
    if (code != 0) {
        if (process > 0) {
            qz_process_end(started);
        } else {
            close_pipes(started);
        }
    }
    return code;
}

int qz_process_wait(const qz_process *started, int milliseconds) {
    int process = (int)syscall(SYS_pidfd_open, started->process, 0);
    if (process < 0) return 0;
    struct pollfd end = {.fd = process, .events = POLLIN};
    int found;
    do {
        found = poll(&end, 1, milliseconds);
    } while (found < 0 && errno == EINTR);
    close(process);
    return found > 0;
}

int qz_process_stop(qz_process *started, int milliseconds) {
    // A program that waits for its pipe to be read gets SIGPIPE instead.
    close_pipes(started);
    kill(-started->process, SIGTERM);
    qz_process_wait(started, milliseconds);
    return qz_process_end(started);
}

int qz_process_end(qz_process *started) {
    close_pipes(started);
    if (started->is_helped) {
        struct request asked = {.process = started->process};
        struct reply answer = ask(&asked, NULL, 0);
        // If the helper has ended, the program has been killed.
        return answer.code == 0 ? answer.value : SIGKILL;
    }
    int status = 0;
    // The group stays until its head has been waited for: the number is not another's yet.
    kill(-started->process, SIGKILL);
    while (waitpid(started->process, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

int qz_memory_file(void) {
    return memfd_create("document", MFD_CLOEXEC);
}
