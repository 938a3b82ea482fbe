/// Runs `watch-folder` with the arguments of this process until it ends.
public func runWatchFolder() async {
    await WatchFolder.main()
}
