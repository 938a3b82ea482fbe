#include "qz_crash_guard.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// SIGSYS is that of a system call which the sandbox forbids.
static const int crash_signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
enum { crash_signal_count = sizeof crash_signals / sizeof *crash_signals };

static struct qz_fallback_output crash_output;
static struct qz_fallback_output memory_output;
static struct qz_fallback_output timeout_output;
static int message_file;
static int guard_exit_status;
// A stack of its own, so that a stack overflow still finds room for the handler.
static char handler_stack[64 * 1024];

static void write_all(int descriptor, const void *bytes, size_t length)
{
    const char *rest = bytes;
    while (length > 0) {
        ssize_t count = write(descriptor, rest, length);
        if (count <= 0) return;
        rest += count;
        length -= (size_t)count;
    }
}

static void write_fallback_output(int signal_number)
{
    const struct qz_fallback_output *fallback =
        signal_number == SIGALRM ? &timeout_output : errno == ENOMEM ? &memory_output : &crash_output;
    write_all(STDOUT_FILENO, fallback->output, fallback->output_length);
    write_all(message_file, fallback->message, fallback->message_length);
    _exit(guard_exit_status);
}

static int install(void (*handler)(int), int flags)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    if (sigaltstack(&stack, NULL) != 0) return -1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | flags;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < crash_signal_count; i++)
        if (sigaction(crash_signals[i], &action, NULL) != 0) return -1;
    return 0;
}

static void exit_when_out_of_memory(int signal_number)
{
    if (errno == ENOMEM) _exit(guard_exit_status);
    // The handler is gone by now; the signal ends the process when this returns.
    raise(signal_number);
}

int qz_exit_when_out_of_memory(int exit_status)
{
    guard_exit_status = exit_status;
    return install(exit_when_out_of_memory, SA_RESETHAND);
}

int qz_crash_guard_install(struct qz_fallback_output crash, struct qz_fallback_output memory,
                           struct qz_fallback_output timeout, int message_descriptor, int exit_status, double seconds)
{
    crash_output = crash;
    memory_output = memory;
    timeout_output = timeout;
    message_file = message_descriptor;
    guard_exit_status = exit_status;

    if (install(write_fallback_output, 0) != 0) return -1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = write_fallback_output;
    action.sa_flags = SA_ONSTACK;
    sigfillset(&action.sa_mask);
    if (sigaction(SIGALRM, &action, NULL) != 0) return -1;
    errno = 0;

    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * 1e6);
    // A timer of nothing would be no timer.
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
    return setitimer(ITIMER_REAL, &timer, NULL);
}

void qz_crash_guard_remove(void)
{
    struct itimerval off;
    memset(&off, 0, sizeof off);
    setitimer(ITIMER_REAL, &off, NULL);
    for (int i = 0; i < crash_signal_count; i++) signal(crash_signals[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}
