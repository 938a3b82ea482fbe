#define _GNU_SOURCE
#include "CBench.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gnu/libc-version.h>

static int64_t high_water_mark(pid_t process) {
    char path[64], line[256];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "r");
    if (file == NULL) return -1;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
    }
    fclose(file);
    return kilobytes;
}

int qzb_peak_memory(char *const arguments[], int64_t *peak_kilobytes) {
    *peak_kilobytes = -1;
    pid_t process = fork();
    if (process < 0) return -1;
    if (process == 0) {
        int nowhere = open("/dev/null", O_RDWR);
        for (int descriptor = 0; descriptor <= 2; descriptor++) dup2(nowhere, descriptor);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(127);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    int status = 0;
    int has_options = 0;
    while (waitpid(process, &status, 0) == process || errno == EINTR) {
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        if (!WIFSTOPPED(status)) continue;
        long signal = WSTOPSIG(status);
        if (!has_options) {
            // The stop that follows exec. Without EXITKILL a process would outlive a benchmark that is killed.
            ptrace(PTRACE_SETOPTIONS, process, NULL, (void *)(PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL));
            has_options = 1;
            signal = 0;
        } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
            *peak_kilobytes = high_water_mark(process);
            signal = 0;
        }
        ptrace(PTRACE_CONT, process, NULL, (void *)signal);
    }
    return -1;
}

__attribute__((noinline)) void qzb_measured_region(void (*body)(void *context), void *context) {
    body(context);
    // Keeps the call above from becoming a jump, after which callgrind would see no return.
    __asm__ volatile("" ::: "memory");
}

const char *qzb_libc_version(void) { return gnu_get_libc_version(); }
