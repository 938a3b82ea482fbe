// The sandbox of a process that decodes untrusted pictures: Landlock, and seccomp by libseccomp.
#pragma once

/// True if this process could filter its system calls: libseccomp is there, and filters are allowed.
int qz_sandbox_can_filter_calls(void);

/// True if the kernel has Landlock, and this process may use it.
int qz_sandbox_can_restrict_paths(void);

/// Restricts the files that this process and its children may open, by Landlock.
///
/// They read the file `readable` or files below it, besides libraries, fonts and programs, or all files if it is NULL.
/// They write files below `writable`, or none if it is NULL. What is open stays open. True if it is in force.
int qz_sandbox_restrict_paths(const char *_Nullable readable, const char *_Nullable writable);

/// Restricts the system calls of this process, which has one thread, for the rest of its life.
///
/// It starts no program and no process, opens no socket, and opens files for reading only, unless `writes` is true. An
/// attempt to get out kills it; if `raises` is true, it raises SIGSYS instead, for a handler that makes a report.
/// True if it is in force.
int qz_sandbox_filter_calls(int writes, int raises);

/// A filter for programs that render untrusted documents; NULL if there is no libseccomp.
const void *_Nullable qz_sandbox_program_filter(void);

/// Applies a filter of qz_sandbox_program_filter() to this process, which then starts the program.
void qz_sandbox_apply_program_filter(const void *_Nullable filter);
