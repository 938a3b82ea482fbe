#pragma once

/// Makes the first SIGINT or SIGTERM a byte with its number in a pipe, and the second one the end of the process.
///
/// The handler needs no other thread, so that the second signal ends a process that cannot start any.
///
/// Returns the descriptor to read from, which does not block, or -1 if there is no pipe; the signals keep their actions
/// then. Call it once.
int qz_stop_signals(void);
