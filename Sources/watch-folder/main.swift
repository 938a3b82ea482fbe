internal import WatchFolderCommand

await runWatchFolder()
