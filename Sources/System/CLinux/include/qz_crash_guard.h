#pragma once
#include <stddef.h>

// The fallback output of a process that decodes one picture by itself: a signal handler writes it when a
// library crashes or the time runs out. In C because a handler may call nothing but async-signal-safe functions, and
// Swift promises that of none of its own.

struct qz_fallback_output {
    const void *output;   // written to standard output
    size_t output_length;
    const void *message;  // written to message_descriptor
    size_t message_length;
};

// Has the process end with an exit status in place of a crash, where an allocation has failed since errno was 0: what
// is in C ends by the NULL that it got, and Swift by a trap. Any other crash stays one.
// Returns 0, or -1 with errno set.
int qz_exit_when_out_of_memory(int exit_status);

// Installs the handlers and starts the clock. The output `memory` is written in place of `crash` if an allocation
// has failed. The bytes that they point to stay valid until qz_crash_guard_remove().
// Returns 0, or -1 with errno set.
int qz_crash_guard_install(struct qz_fallback_output crash, struct qz_fallback_output memory,
                           struct qz_fallback_output timeout, int message_descriptor, int exit_status, double seconds);

// Takes the handlers away and stops the clock.
void qz_crash_guard_remove(void);
