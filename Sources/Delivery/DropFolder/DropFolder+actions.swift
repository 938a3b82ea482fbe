internal import BarcodeCore
internal import Logging
internal import SystemPackage

extension DropFolder {
    /// Performs an action of the state machine.
    ///
    /// - Returns: the resulting events, except those that a task delivers later.
    func perform(
        _ action: WatchStateMachine.Action, _ watch: inout WatchLoopState, _ group: inout DiscardingTaskGroup
    ) async -> [WatchStateMachine.Event] {
        switch action {
        case .checkRoot: return await checkRoot(&watch)
        case .inspect(let heard): return [.inspected(await inspect(heard, watch.root))]
        case .scan(let folder): scan(folder, watch, &group)
        case .begin(let job):
            if let root = watch.root { group.addTask { await self.run(job, root) } }
        case .close(let closing): return [await close(closing, watch.root)]
        case .remove(let folders): return [.removed(await remove(folders, watch.root))]
        case .prune: group.addTask { await self.prune() }
        case .log(let notice): logger.log(notice)
        case .publish(let status): show(status)
        case .reportReady: health.ready()
        case .reportAlive: health.alive()
        case .wait, .end: break
        }
        return []
    }

    private func run(_ job: FileTracker.Job, _ root: FolderHandle) async {
        switch job {
        case .read(let path, let identity, let isOpen, let failures):
            let result = await fileProcessor.read(path, identity, isOpen: isOpen, root: root, failures: failures)
            FolderMetrics.count(result)
            hand(.finished(path, result))
        case .move(let record):
            let result = await fileProcessor.move(record, root: root)
            FolderMetrics.count(result)
            hand(.finished(RelativePath(record.path), result))
        }
    }

    /// Inspects the files with change notifications.
    private func inspect(
        _ heard: [(path: RelativePath, kind: FolderChanges.Kind)], _ root: FolderHandle?
    ) async -> [WatchStateMachine.Inspection] {
        guard let root else { return [] }
        return await Blocking.value {
            heard.map { path, kind in
                var finding = WatchStateMachine.Inspection.Finding.absent
                do throws(Errno) {
                    let identity = try root.folder(path.folder).identity(of: path.name)
                    finding = identity.map { .file($0) } ?? .nonRegularFile
                } catch  where ResourceShortage(errno: error.rawValue) != nil {
                    finding = .unknown
                } catch {
                    // It does not exist or cannot be reached.
                }
                return WatchStateMachine.Inspection(path: path, kind: kind, finding: finding)
            }
        }
    }

    /// Starts to scan a folder in a task.
    private func scan(_ folder: RelativePath, _ watch: WatchLoopState, _ group: inout DiscardingTaskGroup) {
        guard let root = watch.root else { return }
        let (selection, source, begin) = (settings.selection, watch.source, now)
        group.addTask {
            let scan = await Blocking.value {
                FolderScan.run(root, from: folder, selection: selection) { source.watch($0, $1) }
            }
            self.hand(.scanned(scan, begin: begin, isWhole: folder == .root))
        }
    }

    /// Records moved files in the journal, many at once.
    private func close(_ closing: [FileTracker.Closing], _ root: FolderHandle?) async -> WatchStateMachine.Event {
        let destination = settings.destination ?? settings.folder
        let sources = Set(closing.map(\.path.folder))
        let targets = Set(closing.compactMap { $0.place?.folder })
        do {
            // If a power cut undid a move after it was recorded, the file would be read again.
            try await Blocking.run {
                if let root { try Self.sync(sources, in: root) }
                if !targets.isEmpty { try Self.sync(targets, in: FolderHandle(path: destination)) }
            }
            try await journal.close(closing.map { ($0.number, $0.place?.bytes) })
            return .closed(closing.count)
        } catch {
            return .notClosed(reason: "\(error)")
        }
    }

    /// Syncs folders to the disk, apart from those that are gone.
    private static func sync(_ folders: Set<RelativePath>, in root: FolderHandle) throws(Errno) {
        for folder in folders {
            do throws(Errno) {
                try root.folder(folder).sync()
            } catch {
                guard [.noSuchFileOrDirectory, .notDirectory].contains(error) else { throw error }
            }
        }
    }

    /// Removes incomplete files that a crash has left in the output folders.
    func removeStaleParts() async {
        let destination = settings.destination ?? settings.folder
        let count = await Blocking.value {
            (try? FolderHandle(path: destination)).map { PartFile.removeStale(in: $0) } ?? 0
        }
        if count > 0 { logger.notice("Removed .part files left by a crash", metadata: ["count": "\(count)"]) }
    }

    private func prune() async {
        do {
            let retention = settings.journalRetention
            let count = try await journal.prune(age: retention.age, count: retention.count)
            if count > 0 { logger.info("Pruned the journal of files", metadata: ["count": "\(count)"]) }
        } catch {
            logger.error("Cannot prune the journal of files", metadata: ["error": "\(error)"])
        }
    }
}
