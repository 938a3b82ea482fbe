// Programs that render documents: each runs in a process of its own.
#pragma once

#include <stddef.h>
#include <sys/types.h>

/// A program that was started.
typedef struct {
    /// Its process, which leads a group of its own.
    pid_t process;
    /// Where its standard output and its standard error are read from.
    int output;
    int errors;
} qz_process;

/// The descriptor at which a program finds the document.
#define QZ_DOCUMENT_DESCRIPTOR 3

/// Starts the program `arguments[0]`, looked for in PATH, with `document` as its descriptor 3.
///
/// It is killed when the thread that starts it ends. It may take `memory` bytes (RLIMIT_DATA, or what this process may
/// take, if that is less) and `seconds` of processor time, and writes no files.
/// Returns 0, or the errno of what failed.
int qz_process_start(
    qz_process *_Nonnull started, char *_Nullable const *_Nonnull arguments, int document, size_t memory,
    unsigned seconds);

/// Kills what is left of a program with all that it has started, waits for it and closes its pipes.
///
/// Returns its status as waitpid() has it.
int qz_process_end(qz_process *_Nonnull started);

/// A file in memory without a name; -1 where there is none to be had.
int qz_memory_file(void);
