import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import StationApps

/// Versions are installed completely or not at all, kept, and rolled back.
@Suite struct StoreTests {
    private let ward = AppName(rawValue: "ward")!

    private func file(_ store: AppStore, _ bytes: [UInt8]) throws -> AppPackageFile {
        let file = try store.packageFile()
        try file.append(bytes)
        return file
    }

    /// A change that is based on an outdated state does not undo later changes.
    @Test func anotherAppThanExpectedStays() throws {
        let test = try TestStore()
        func bytes(_ text: String) -> [UInt8] { package(("index.html", text)) }
        func isRefused(inPlaceOf before: InstalledApp?) throws -> Bool {
            let package = try file(test.store, bytes("late"))
            do {
                try test.store.install(package, as: ward, version: "9", settings: .init(), inPlaceOf: before)
            } catch {
                return error.code == .inUse
            }
            return false
        }
        let one = try test.store.install(file(test.store, bytes("one")), as: ward, version: "1", settings: .init())
        #expect(try isRefused(inPlaceOf: nil))
        var settings = InstalledApp.Settings()
        settings.signIn = "login.html"
        let two = try test.store.install(file(test.store, bytes("two")), as: ward, version: "2", settings: settings)
        #expect(try isRefused(inPlaceOf: one))
        #expect(test.page() == "two")
        try test.store.rollBack(ward)
        #expect(try isRefused(inPlaceOf: two))
        try test.store.remove(ward)
        #expect(try isRefused(inPlaceOf: two))
        #expect(test.page() == nil)
        // An unreadable record is not taken for a missing one.
        try test.store.install(file(test.store, bytes("one")), as: ward, version: "1", settings: settings)
        try Data("{".utf8).write(to: URL(filePath: test.store.record(ward)))
        #expect(throws: AppError.self) { try test.store.existing(ward) }
        #expect(test.store.list().isEmpty)
        #expect(test.store.faults().map(\.code) == [.storage])
    }

    /// The folder of a station that never ran is made on the way.
    @Test func parentFolderIsMade() throws {
        let test = try TestStore()
        let store = AppStore(folder: test.folder["state/station.sqlite.apps"])
        try store.install(
            file(store, package(("index.html", "one"))), as: ward, version: "1", settings: .init())
        #expect(test.page(at: test.folder["state/station.sqlite.apps"]) == "one")
    }

    @Test func theVersionBeforeIsKept() throws {
        let test = try TestStore()
        for (number, text) in [("1", "one"), ("2", "two"), ("3", "three")] {
            try test.store.install(
                file(test.store, package(("index.html", text), ("\(text).js", text))), as: ward, version: number,
                settings: .init())
            #expect(test.page() == text)
        }
        // A page that was open still requests its parts.
        #expect(test.page("/two.js") == "two")
        #expect(test.page("/one.js") == nil)
        let versions = try FileManager.default.contentsOfDirectory(atPath: test.path + "/ward")
        #expect(versions.count == 3, "\(versions)")
        let app = try test.store.rollBack(ward)
        #expect(app.current.number == "2" && app.previous?.number == "3" && app.rejected == app.previous?.sha256)
        #expect(test.page() == "two")
        #expect(try test.store.rollBack(ward).current.number == "3")
        try test.store.remove(ward)
        #expect(test.page() == nil)
        #expect(test.files == [".lock"])
        #expect(throws: AppError.self) { try test.store.remove(ward) }
        #expect(throws: AppError.self) { try test.store.rollBack(ward) }
    }

    @Test func thereIsNoVersionBeforeTheFirst() throws {
        let test = try TestStore()
        let bytes = package(("index.html", "one"))
        try test.store.install(file(test.store, bytes), as: ward, version: "1", settings: .init())
        // The same package again does not count as another version.
        try test.store.install(file(test.store, bytes), as: ward, version: "1", settings: .init())
        #expect { try test.store.rollBack(ward) } throws: { "\($0)".contains("has no version before 1") }
    }

    /// Whenever the process ends, the disk has the old version or the new one, and the next change succeeds.
    @Test func aChangeThatIsCutShort() throws {
        for step in AppStore.Step.allCases {
            let test = try TestStore()
            try test.store.install(
                file(test.store, package(("index.html", "old"))), as: ward, version: "1", settings: .init())
            let copy = test.folder["copy-\(step)"]
            let path = test.path
            let watched = AppStore(folder: path) { reached in
                // The state that a process killed at this step leaves.
                if reached == step { try? FileManager.default.copyItem(atPath: path, toPath: copy) }
            }
            try watched.install(
                file(watched, package(("index.html", "new"))), as: ward, version: "2", settings: .init())
            #expect(test.page(at: copy) == (step == .recorded ? "new" : "old"), "\(step)")
            let after = AppStore(folder: copy)
            try after.install(file(after, package(("index.html", "newer"))), as: ward, version: "3", settings: .init())
            #expect(test.page(at: copy) == "newer", "\(step)")
            let left = try FileManager.default.contentsOfDirectory(atPath: copy + "/ward")
            #expect(left.count == 3 && !left.contains { $0.hasPrefix(".") }, "\(step): \(left)")
        }
    }

    @Test func twoAtOnce() throws {
        let test = try TestStore()
        let (path, name) = (test.path, ward)
        let second = Mutex<AppError?>(nil)
        let store = AppStore(folder: path) { step in
            guard step == .unpacked else { return }
            do throws(AppError) {
                try AppStore(folder: path).remove(name)
            } catch {
                second.withLock { $0 = error }
            }
        }
        try store.install(file(store, package(("index.html", "one"))), as: ward, version: "1", settings: .init())
        #expect(second.withLock { $0?.code } == .inUse)
        #expect(test.page() == "one")
    }

    @Test func anotherProcessIsNoticed() throws {
        let test = try TestStore()
        let files = AppFiles(test.store)
        #expect(files.app(ward) == nil)
        for number in ["1", "2"] {
            try test.store.install(
                file(test.store, package(("index.html", number))), as: ward, version: number, settings: .init())
            #expect(files.app(ward)?.current.number == number)
        }
        try test.store.remove(ward)
        #expect(files.app(ward) == nil)
    }

    @Test func names() {
        for name in ["ward", "a", "9", "ward-3", String(repeating: "a", count: 40)] {
            #expect(AppName(rawValue: name) != nil, "\(name)")
        }
        for name in ["", "Ward", "-a", "a-", "a.b", "a/b", "..", "病房", "a b", String(repeating: "a", count: 41)] {
            #expect(AppName(rawValue: name) == nil, "\(name)")
        }
        for (path, name) in [
            ("/tmp/Ward Map.zip", "ward-map"), ("ward_1.2.zip", "ward-1-2"), ("x/病房.zip", nil), ("", nil),
        ] {
            #expect(AppName(suggestedBy: path)?.rawValue == name, "\(path)")
        }
    }
}
