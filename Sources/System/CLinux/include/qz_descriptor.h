// Files that are opened, and passed from one process to another over a Unix socket.
#pragma once

#include <sys/types.h>

/// Opens a file as open(2) does, but no link of /proc to an open file of a process, such as /dev/stdin (ELOOP).
///
/// Before Linux 5.6, such links are opened as well. Returns the descriptor, or -1 with errno.
int qz_open_without_process_links(const char *_Nonnull path, int flags);

/// Sends up to `count` bytes over a Unix stream socket, with the open file `descriptor`; -1 for none.
///
/// Waits for room. Returns how many bytes were sent, or -1 with errno, which is EPIPE if the other end is closed.
ssize_t qz_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// Receives up to `count` bytes from a Unix stream socket, or reads them from a pipe or file.
///
/// `passed` becomes an open file that came with the bytes, which the caller closes; -1 for none. Returns how many bytes
/// there are, 0 at the end, or -1 with errno.
ssize_t qz_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull passed);
