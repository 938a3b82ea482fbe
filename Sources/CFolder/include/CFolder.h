#pragma once

// What of the kernel's calls on files Swift does not see: declared for _GNU_SOURCE alone, or in no header that it imports.

/// Renames an entry of a folder unless the new name is taken: renameat2(2) with RENAME_NOREPLACE.
///
/// Returns 0, or -1 with errno.
int qz_rename_unless_taken(int old_folder, const char *old_name, int new_folder, const char *new_name);

/// Whether somebody has a file open for writing: 1 or 0, and -1 where the kernel does not say.
///
/// The file must be open for reading, by its owner or with CAP_LEASE, see "Leases" in fcntl(2).
int qz_is_open_for_writing(int file);

/// Writes what the file system of an open file or folder keeps in memory to its disk: syncfs(2).
///
/// Returns 0, or -1 with errno.
int qz_synchronize_file_system(int file);

/// The number of the kind of file system that an open file is on, f_type of statfs(2); 0 where the kernel does not say.
long qz_file_system_type(int file);


/// The environment of the process, NULL behind the last entry: a global variable, which Swift 6 does not let be read.
char *const *qz_environment(void);
