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

// Has the process end with an exit status in place of a crash, where an allocation has failed since errno was 0: what
// is in C ends by the NULL that it got, and Swift by a trap. Any other crash stays one.
// Returns 0, or -1 with errno set.
int qz_exit_when_out_of_memory(int exit_status);

// Installs the handlers and starts the clock. The memory words are said in place of the crash words where an allocation
// has failed. The memory behind the words stays valid until qz_crash_guard_remove().
// Returns 0, or -1 with errno set.
int qz_crash_guard_install(struct qz_last_words crash, struct qz_last_words memory, struct qz_last_words timeout,
                           int message_descriptor, int exit_status, double seconds);

// Takes the handlers away and stops the clock.
void qz_crash_guard_remove(void);
