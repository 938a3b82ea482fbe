// Open files that are passed from one process to another over a Unix socket.
#pragma once

#include <sys/types.h>

/// Sends up to `count` bytes over a Unix stream socket, with the open file `descriptor`; -1 for none.
///
/// Waits for room. Returns how many bytes were sent, or -1 with errno, which is EPIPE if the other end is closed.
ssize_t qz_send(int socket, const void *_Nonnull bytes, size_t count, int descriptor);

/// Receives up to `count` bytes from a Unix stream socket, or reads them from a pipe or file.
///
/// `passed` becomes an open file that came with the bytes, which the caller closes; -1 for none. Returns how many bytes
/// there are, 0 at the end, or -1 with errno.
ssize_t qz_receive(int socket, void *_Nonnull bytes, size_t count, int *_Nonnull passed);
