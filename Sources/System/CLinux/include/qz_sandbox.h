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

/// Returns a filter for programs that render untrusted documents; NULL if libseccomp is missing.
const void *_Nullable qz_sandbox_program_filter(void);

/// Applies a filter of qz_sandbox_program_filter() to this process, which then starts the program.
void qz_sandbox_apply_program_filter(const void *_Nullable filter);
