#ifndef QZ_FOLDER_H
#define QZ_FOLDER_H

// What of the kernel's calls on files is declared for _GNU_SOURCE alone, which Swift does not see.

/// Renames an entry of a folder unless the new name is taken: renameat2(2) with RENAME_NOREPLACE.
///
/// Returns 0, or -1 with errno.
int qz_rename_unless_taken(int old_folder, const char *old_name, int new_folder, const char *new_name);

/// Whether somebody has a file open for writing: 1 or 0, and -1 where the kernel does not say.
///
/// The file must be open for reading, by its owner or with CAP_LEASE, see "Leases" in fcntl(2).
int qz_is_open_for_writing(int file);

#endif
