import Glibc
import TestSupport
import Testing

@testable import DeviceAccess

@Suite struct FolderWatchTests {
    /// Waits for a change notification; false after a minute.
    private func tells(_ watch: FolderWatch) -> Bool {
        var wait = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wait, 1, 60_000) == 1 && watch.take()
    }

    @Test func whatComesIsTold() throws {
        let folder = try TemporaryFolder()
        let watch = FolderWatch([folder.path])
        #expect(watch.isWhole && !watch.take())
        try folder.file("ttyUSB0", [])
        #expect(tells(watch) && !watch.take())
        // As when udev assigns a device to a group.
        try #require(chmod(folder["ttyUSB0"], 0o660) == 0)
        #expect(tells(watch))
        try #require(symlink(folder["ttyUSB0"], folder["link"]) == 0)
        #expect(tells(watch))
        unlink(folder["link"])
        #expect(!watch.take(), "what goes is told by the device itself")
    }

    /// A machine without input devices has no /dev/input.
    @Test func aFolderThatIsMadeLater() throws {
        let folder = try TemporaryFolder()
        let watch = FolderWatch([folder["input/by-id"], folder.path])
        #expect(watch.isWhole)
        for _ in 0..<2 {
            try #require(mkdir(folder["input"], 0o755) == 0)
            #expect(tells(watch))
            try #require(mkdir(folder["input/by-id"], 0o755) == 0)
            #expect(tells(watch))
            try folder.file("input/by-id/gun", [])
            #expect(tells(watch))
            unlink(folder["input/by-id/gun"])
            rmdir(folder["input/by-id"])
            rmdir(folder["input"])
            _ = watch.take()
        }
    }

    @Test func whatCannotBeWatched() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", [1])
        #expect(FolderWatch([file + "/below"]).isWhole, "the folder of the file is")
        #expect(!FolderWatch(["relative"]).isWhole)
    }

    @Test func waking() {
        let wakeup = WakeupEvent()
        var wait = pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 0) == 0)
        wakeup.wake()
        wakeup.wake()
        #expect(poll(&wait, 1, 0) == 1)
        wakeup.clear()
        #expect(poll(&wait, 1, 0) == 0)
    }

    @Test func files() throws {
        let folder = try TemporaryFolder()
        try folder.file("b", Array("85\nmore".utf8))
        try folder.file("a", [])
        #expect(DeviceFiles.names(in: folder.path) == ["a", "b"])
        #expect(DeviceFiles.names(in: folder["none"]).isEmpty)
        #expect(DeviceFiles.line(of: folder["b"]) == "85" && DeviceFiles.line(of: folder["none"]) == nil)
        #expect(DeviceFiles.resolved(folder["none"]) == nil)
    }
}
