import Foundation
import Testing

@testable import DropFolder

/// Inotify notifications in real folders.
@Suite(.timeLimit(.minutes(10))) struct InotifyTests {
    /// A watched folder and its notifications.
    final class Watched {
        let folder: DropTestFolder
        let source: InotifySource
        let wakeup = WakeupSignal()

        init() throws {
            folder = try DropTestFolder()
            source = try InotifySource(wakeup: wakeup)
        }

        func scan(_ start: RelativePath = .root) throws -> [String] {
            FolderScan.run(try folder.handle(), from: start, selection: FileSelection(destination: nil)) {
                self.source.watch($0, $1)
            }.files.map(\.path.display)
        }

        /// Collects notifications until they are enough.
        func hear(_ isEnough: (FolderChanges) -> Bool) async -> FolderChanges {
            var all = FolderChanges()
            for _ in 0..<2000 where !isEnough(all) {
                await wakeup.wait(until: .now + .milliseconds(20))
                let more = source.take()
                for path in more.order { more.files[path].map { all.note(path, $0) } }
                all.folders += more.folders
                all.goneFolders += more.goneFolders
                all.isLossy = all.isLossy || more.isLossy
                all.rootHasChanged = all.rootHasChanged || more.rootHasChanged
            }
            return all
        }
    }

    @Test func filesAreToldOf() async throws {
        let watched = try Watched()
        try watched.folder.write("sub/old.jpg", "x")
        #expect(try watched.scan() == ["sub/old.jpg"])
        try watched.folder.write("sub/new.jpg", "x")
        rename(watched.folder.path + "/sub/old.jpg", watched.folder.path + "/moved.jpg")
        let (new, old, moved) = (RelativePath("sub/new.jpg"), RelativePath("sub/old.jpg"), RelativePath("moved.jpg"))
        let changes = await watched.hear { $0.files[moved] == .finished && $0.files[new] != .opened }
        #expect(changes.files[old] == .gone)
        #expect(changes.files[moved] == .finished)
        #expect(changes.files[new] == .finished)
    }

    @Test func aFileThatIsStillOpenIsToldOfAsOpen() async throws {
        let watched = try Watched()
        _ = try watched.scan()
        let path = RelativePath("a.jpg")
        #expect(FileManager.default.createFile(atPath: watched.folder.path + "/b.jpg", contents: nil))
        let file = try #require(fopen(watched.folder.path + "/a.jpg", "w"))
        fputs("x", file)
        fflush(file)
        #expect(await watched.hear { $0.files[path] != nil }.files[path] == .opened)
        fclose(file)
        #expect(await watched.hear { $0.files[path] == .finished }.files[path] == .finished)
    }

    @Test func foldersThatComeAndMoveAndGo() async throws {
        let watched = try Watched()
        _ = try watched.scan()
        try watched.folder.write("a/b/1.jpg", "x")
        let a = RelativePath("a")
        #expect(await watched.hear { $0.folders.contains(a) }.folders.contains(a))
        #expect(try watched.scan(a) == ["a/b/1.jpg"])

        rename(watched.folder.path + "/a", watched.folder.path + "/c")
        let c = RelativePath("c")
        let moved = await watched.hear { $0.folders.contains(c) }
        #expect(moved.goneFolders == [a])
        #expect(try watched.scan(c) == ["c/b/1.jpg"])

        // Changes below it are reported with its new path.
        try watched.folder.write("c/b/2.jpg", "x")
        let two = RelativePath("c/b/2.jpg")
        #expect(await watched.hear { $0.files[two] == .finished }.files[two] == .finished)
        try FileManager.default.removeItem(atPath: watched.folder.path + "/c")
        #expect(await watched.hear { $0.goneFolders.contains(c) }.goneFolders.contains(c))
    }

    @Test func moreThanIsRememberedIsALoss() {
        var changes = FolderChanges()
        for number in 0...FolderChanges.maximumFiles { changes.note(RelativePath("\(number)"), .finished) }
        #expect(changes.isLossy)
        #expect(changes.files.isEmpty && changes.order.isEmpty)
    }

    @Test func anOverflowIsALoss() {
        // An event as the kernel writes it: no watch, IN_Q_OVERFLOW, no cookie, no name; and half of another one.
        let bytes: [UInt32] = [UInt32(bitPattern: -1), 0x4000, 0, 0, 7, 2]
        bytes.withUnsafeBytes { buffer in
            var seen: [(Int32, UInt32, [UInt8])] = []
            InotifySource.forEachEvent(in: buffer) { seen.append(($0, $1, $2)) }
            #expect(seen.map(\.0) == [-1])
            #expect(seen.map(\.1) == [0x4000])
        }
    }
}
