internal import WatchFolderCommand

prepareWatchFolder()
await runWatchFolder()
