internal import ServiceSupport

/// What `watch-folder` does before anything suspends: its standard streams, and a worker if it is asked to be one.
public func prepareWatchFolder() { WatchFolder.prepare() }

/// Runs `watch-folder` with the arguments of this process until it ends.
public func runWatchFolder() async { await WatchFolder.runProgram() }
