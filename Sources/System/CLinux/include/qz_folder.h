#pragma once

// Calls of the kernel on files that Swift cannot import: declared for _GNU_SOURCE alone, or in no header that it imports.

/// Renames an entry of a folder unless the new name is taken: renameat2(2) with RENAME_NOREPLACE.
///
/// Returns 0, or -1 with errno.
int qz_rename_unless_taken(int old_folder, const char *old_name, int new_folder, const char *new_name);

/// Returns 1 if a file is open for writing, 0 if it is not, and -1 if the kernel does not say.
///
/// The file must be open for reading, by its owner or with CAP_LEASE, see "Leases" in fcntl(2).
int qz_is_open_for_writing(int file);

/// The identity of a file, by statx(2).
struct qz_file_status {
    /// The kind of the file and its permissions, as in `st_mode`.
    unsigned int mode;
    /// The number of the file system.
    unsigned long long device;
    /// The number of the file in it, which another file has later.
    unsigned long long inode;
    /// The length in bytes.
    long long size;
    /// The time of the last write, in nanoseconds since 1970.
    long long modified;
    /// The time of the last change of its name, permissions or content, in nanoseconds since 1970.
    long long changed;
    /// The time of its creation, in nanoseconds since 1970; 0 if the file system does not say.
    long long born;
};

/// Looks at an entry of a folder, not at what a link leads to; an empty name is the open file or folder itself.
///
/// Returns 0, or -1 with errno.
int qz_status(int folder, const char *name, struct qz_file_status *status);

/// Writes all changes of the file system of an open file or folder to its disk: syncfs(2).
///
/// Returns 0, or -1 with errno.
int qz_synchronize_file_system(int file);

/// The number of the kind of file system that an open file is on, f_type of statfs(2); 0 if the kernel does not say.
long qz_file_system_type(int file);

/// The environment of the process, NULL behind the last entry: a global variable, which Swift 6 does not let be read.
char *const *qz_environment(void);
