internal import ServiceSupport

/// Prepares the standard streams, or runs a worker if the arguments ask for one.
///
/// Call it before anything suspends.
public func prepareWatchFolder() { WatchFolder.prepare() }

/// Runs `watch-folder` with the arguments of this process until it ends.
public func runWatchFolder() async { await WatchFolder.runProgram() }
