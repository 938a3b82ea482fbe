// Programs that render or split documents or write the frames of a camera, each in a process of its own.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "qz_sandbox.h"

/// A program that was started.
typedef struct {
    /// Its process, which leads a group of its own.
    pid_t process;
    /// The pipes of its standard output, -1 if that is a file, and its standard error, to read from.
    int output;
    int errors;
    /// 1 if the helper has started it, see qz_helper_start().
    int is_helped;
} qz_process;

/// The descriptor at which a program finds the document.
#define QZ_DOCUMENT_DESCRIPTOR 3

/// The limits of a program that reads untrusted input.
typedef struct {
    /// The kind of program, which decides its filter of system calls and its rules of Landlock.
    qz_program_kind kind;
    /// The bytes that it may take (RLIMIT_DATA), or what this process may take, if that is less.
    size_t memory;
    /// The seconds of processor time.
    unsigned seconds;
    /// The bytes of the file that is its standard output; it writes no others.
    size_t output;
} qz_process_limits;

/// Starts a helper: a process that starts programs with limits for this one, from now on.
///
/// Call it before this process enters its sandbox, in which it may start none, and while it has one thread. The helper
/// starts only `programs`, which ends with NULL, each under a filter of system calls of its own, two of them at once, and
/// with at most 1 GiB and an hour of processor time. Other programs, kinds that do more than read, and arguments that are
/// too many or too long, are refused; a message of another form ends the helper. It ends with this process.
/// Returns 0, or the errno of what failed.
int qz_helper_start(const char *_Nullable const *_Nonnull programs);

/// Starts the program `arguments[0]`, looked for in PATH, with `document` as its descriptor 3; -1 for none.
///
/// It is killed when the thread that starts it ends, and inherits no other descriptor. Its standard output is the file
/// `output`, or a pipe if that is -1. `limits` is NULL for a program of the user; with limits it runs in a sandbox:
/// - One that reads has the rules of Landlock of this process.
/// - One that writes may also open `output`, which is a file, again by the path /dev/stdout. With Landlock it writes no
///   other, and reads only the document besides libraries.
/// - One that receives reads only libraries and what connections need, with Landlock, and writes no file.
/// Returns 0, or the errno of what failed.
int qz_process_start(
    qz_process *_Nonnull started, char *_Nullable const *_Nonnull arguments, int document, int output,
    const qz_process_limits *_Nullable limits);

/// Waits up to `milliseconds` for a program to end by itself; 1 if it has ended.
int qz_process_wait(const qz_process *_Nonnull started, int milliseconds);

/// Closes the pipes of a program, asks it to end by SIGTERM, waits up to `milliseconds`, and ends it as
/// qz_process_end() does.
int qz_process_stop(qz_process *_Nonnull started, int milliseconds);

/// Kills what is left of a program with all that it has started, waits for it and closes its pipes.
///
/// Returns its status as waitpid() has it.
int qz_process_end(qz_process *_Nonnull started);

/// A file in memory without a name; -1 if there is none.
int qz_memory_file(void);
