#pragma once
#include <stddef.h>

// The last words of a process that decodes one picture by itself: what it writes, from inside a signal handler, when
// a library crashes or the time runs out. In C because a handler may call nothing but async-signal-safe functions,
// and Swift promises that of none of its own.

struct qz_last_words {
    const void *output;   // written to standard output
    size_t output_length;
    const void *message;  // written to message_descriptor
    size_t message_length;
};

// Installs the handlers and starts the clock. The memory behind the words stays valid until qz_crash_guard_remove().
// Returns 0, or -1 with errno set.
int qz_crash_guard_install(struct qz_last_words crash, struct qz_last_words timeout, int message_descriptor,
                           int exit_status, double seconds);

// Takes the handlers away and stops the clock.
void qz_crash_guard_remove(void);
