// The sandbox of a process that decodes untrusted pictures: Landlock, and seccomp by libseccomp.
#pragma once

/// True if this process can filter its system calls: libseccomp is installed, and filters are allowed.
int qz_sandbox_can_filter_calls(void);

/// True if the kernel has Landlock, and this process may use it.
int qz_sandbox_can_restrict_paths(void);

/// Restricts the files that this process and its children may open, by Landlock.
///
/// They may read `readable` or the files below it, besides libraries, fonts and programs; all files if it is NULL.
/// They may write files below `writable`; none if it is NULL. They may start programs of the system, and `programs`,
/// which ends with NULL, where PATH has them. Open files stay open. True on success.
int qz_sandbox_restrict_paths(
    const char *_Nullable readable, const char *_Nullable writable, const char *_Nullable const *_Nonnull programs);

/// Restricts the system calls of this process, which has one thread, for the rest of its life.
///
/// It can then start no program or process and open no socket, and can open files only for reading unless `writes` is
/// true. A call that only an attacker makes kills it, or raises SIGSYS if `raises` is true, for a handler that makes a
/// report. True on success.
int qz_sandbox_filter_calls(int writes, int raises);

/// A kind of program that reads untrusted input, by what it may do besides reading files.
typedef enum {
    /// Nothing else.
    QZ_READS,
    /// It opens files to write them.
    QZ_WRITES,
    /// It connects to servers of the Internet protocols.
    QZ_RECEIVES,
    /// It does so too, and connects to sockets of this machine, by which the names of devices in the local network
    /// (RFC 6762) are looked up.
    QZ_RECEIVES_LOCAL,
} qz_program_kind;

/// Returns a filter for programs of a kind; NULL if libseccomp is missing.
const void *_Nullable qz_sandbox_program_filter(qz_program_kind kind);

/// Returns rules by which a program of the kind QZ_WRITES may start, read the open file `document` besides libraries,
/// and write the open file `output`; -1 without Landlock. `arguments[0]` is its name. The caller closes them.
int qz_sandbox_writer_paths(char *_Nullable const *_Nonnull arguments, int document, int output);

/// Returns rules by which a program that receives may start, read libraries and what connections need, write no file,
/// and listen at no port; -1 without Landlock. `arguments[0]` is its name. The caller closes them.
int qz_sandbox_receiver_paths(char *_Nullable const *_Nonnull arguments);

/// Applies a filter and rules to this process, which then starts the program. Only calls that are safe after a fork.
void qz_sandbox_enter_as_program(const void *_Nullable filter, int paths);
