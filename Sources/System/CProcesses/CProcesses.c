#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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
    char *const *arguments, int document, const int output[2], const int errors[2], int failure, pid_t parent,
    const qz_process_limits *limits
) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Whoever started it may have ended before it was asked to be killed with it.
    if (getppid() != parent) _exit(127);
    if (limits) {
        limit(RLIMIT_DATA, limits->memory);
        limit(RLIMIT_CPU, limits->seconds);
        limit(RLIMIT_CORE, 0);
        limit(RLIMIT_FSIZE, 0);
        // A cache of fonts that cannot be written is no reason to die.
        signal(SIGXFSZ, SIG_IGN);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    // Above all that they are copied to; what is copied stays open, and the rest is closed by the new program's start.
    int nothing = fcntl(open("/dev/null", O_RDONLY | O_CLOEXEC), F_DUPFD_CLOEXEC, 10);
    int out = fcntl(output[1], F_DUPFD_CLOEXEC, 10), words = fcntl(errors[1], F_DUPFD_CLOEXEC, 10);
    int report = fcntl(failure, F_DUPFD_CLOEXEC, 10);
    int from = document < 0 ? document : fcntl(document, F_DUPFD_CLOEXEC, 10);
    if (report >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(words, STDERR_FILENO) >= 0 && (document < 0 || dup2(from, QZ_DOCUMENT_DESCRIPTOR) >= 0)) {
        execvp(arguments[0], arguments);
    }
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    (void)written;
    _exit(127);
}

static void close_both(const int pipe[2]) {
    close(pipe[0]);
    close(pipe[1]);
}

int qz_process_start(
    qz_process *started, char *const *arguments, int document, const qz_process_limits *limits
) {
    int output[2], errors[2], failure[2];
    if (pipe2(output, O_CLOEXEC) != 0) return errno;
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
    pid_t parent = getpid();
    pid_t process = fork();
    if (process == 0) become(arguments, document, output, errors, failure[1], parent, limits);
    int code = process < 0 ? errno : 0;
    close(output[1]);
    close(errors[1]);
    close(failure[1]);
    if (process > 0) {
        // Both set it, so that it is set for either of them.
        setpgid(process, process);
        ssize_t count;
        do {
            count = read(failure[0], &code, sizeof code);
        } while (count < 0 && errno == EINTR);
        if (count != (ssize_t)sizeof code) code = 0;
    }
    close(failure[0]);
    *started = (qz_process){.process = process, .output = output[0], .errors = errors[0]};
    if (code != 0) {
        if (process > 0) {
            qz_process_end(started);
        } else {
            close(output[0]);
            close(errors[0]);
        }
    }
    return code;
}

static void close_pipes(qz_process *started) {
    if (started->output >= 0) close(started->output);
    if (started->errors >= 0) close(started->errors);
    started->output = started->errors = -1;
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
    int status = 0;
    // The group stays until its head has been waited for: the number is not another's yet.
    kill(-started->process, SIGKILL);
    while (waitpid(started->process, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

int qz_memory_file(void) {
    return memfd_create("document", MFD_CLOEXEC);
}
