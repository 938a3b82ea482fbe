#define _GNU_SOURCE
#include "qz_stop_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int writing_end = -1;

static void request_stop(int number) {
    int code = errno;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    unsigned char byte = (unsigned char)number;
    ssize_t written = write(writing_end, &byte, 1);
    (void)written;
    errno = code;
}

int qz_stop_signals(void) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    writing_end = ends[1];
    struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return ends[0];
}
