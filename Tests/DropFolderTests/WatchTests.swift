import Foundation
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// What is begun when, without files and clocks.
@Suite struct WatchTests {
    /// A watch with two jobs, whose files settle in half a second.
    private func watch(_ change: (inout DropFolderSettings) -> Void = { _ in }) -> WatchStateMachine {
        var settings = DropFolderSettings(folder: Array("/in".utf8))
        settings.jobs = 2
        change(&settings)
        return WatchStateMachine(settings: settings)
    }

    private func scan(_ names: [String], _ identity: FileIdentity = .version(1)) -> FolderScan {
        var scan = FolderScan()
        scan.files = names.map { FolderScan.Found(path: RelativePath($0), identity: identity) }
        return scan
    }

    private func record(_ name: String, _ number: Int64, _ verdict: FileOutcome = .done) -> IntakeRecord {
        let identity = FileIdentity.version(1)
        var record = IntakeRecord(
            folder: Array("/in".utf8), path: Array(name.utf8), hash: [1], device: identity.device,
            inode: identity.inode, size: identity.size, modified: identity.modified,
            time: Date(timeIntervalSince1970: 0), verdict: verdict.rawValue)
        record.number = number
        return record
    }

    private func receipt(_ name: String, _ number: Int64, _ verdict: FileOutcome = .done) -> IntakeReceipt {
        IntakeReceipt(record: record(name, number, verdict), original: nil, isStored: true)
    }

    /// What is begun at a time, in seconds: `name` for a reading, `>name` for a move.
    private func begun(_ watch: inout WatchStateMachine, at seconds: Double) -> [String] {
        watch.now = .seconds(seconds)
        return watch.nextJobs(isStopping: false).map { job in
            switch job {
            case .take(let path, _, _, _): path.display
            case .move(let record): ">" + RelativePath(record.path).display
            }
        }
    }

    @Test func aHundredThousandWaitAndFewAreInFlight() {
        var watch = watch()
        let names = (0..<100_000).map { "\($0)" }
        watch.accept(scan(names), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 0.4).isEmpty)
        #expect(begun(&watch, at: 0.5) == Array(names.prefix(8)))
        #expect(begun(&watch, at: 0.6).isEmpty)
        #expect(watch.status.waiting == 99_992)
        #expect(watch.status.inFlight == 8)
        for number in 0..<3 {
            watch.finish(
                RelativePath("\(number)"), .taken(receipt("\(number)", Int64(number)), codes: 2, place: nil))
        }
        // In the order of their arrival.
        #expect(begun(&watch, at: 0.7) == ["8", "9", "10"])
        #expect(watch.status.done == 3)
        #expect(watch.status.codes == 6)
        // Looking again begins nothing twice.
        watch.accept(scan(names), begin: .zero, isWhole: true)
        #expect(watch.status.waiting == 99_992)
    }

    @Test func aFileThatIsReplacedInFlightIsLookedAtAgain() {
        var watch = watch()
        let path = RelativePath("a")
        watch.accept(scan(["a"]), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 1) == ["a"])
        watch.hear(.finished, of: path, .version(2))
        watch.finish(path, .taken(receipt("a", 1), codes: 1, place: nil))
        let rechecks = [watch.takeRechecks(), watch.takeRechecks()]
        #expect(rechecks == [[path], []])
    }

    @Test func aChangedFileSettlesAgain() {
        var watch = watch()
        watch.accept(scan(["a"]), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 1) == ["a"])
        watch.finish(RelativePath("a"), .changed(.version(2)))
        #expect(begun(&watch, at: 1.4).isEmpty)
        #expect(begun(&watch, at: 1.5) == ["a"])
        watch.finish(RelativePath("a"), .busy(.version(2)))
        #expect(begun(&watch, at: 1.9).isEmpty)
        #expect(begun(&watch, at: 2) == ["a"])
        watch.finish(RelativePath("a"), .perhapsBusy(.version(2)))
        #expect(begun(&watch, at: 11.9).isEmpty)
        #expect(begun(&watch, at: 12) == ["a"])
    }

    @Test func whatIsStoredIsOnlyMoved() {
        var watch = watch()
        watch.adopt(record("a", 1))
        watch.accept(scan(["a", "b"]), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 0) == [">a"])
        #expect(begun(&watch, at: 1) == ["b"])
        watch.finish(RelativePath("a"), .moved(record("a", 1), place: RelativePath("done/a")))
        #expect(watch.closing.map(\.number) == [1])
        #expect(watch.closing.map { $0.place?.display } == ["done/a"])
    }

    /// After a failure to move, one is tried at a time, and reading goes on; after a success all of them go.
    @Test func movesThatFail() {
        var watch = watch()
        watch.accept(scan((0..<5).map { "\($0)" }), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 1).count == 5)
        for number in 0..<4 {
            watch.finish(
                RelativePath("\(number)"), .stored(receipt("\(number)", Int64(number)), codes: 1, reason: "full"))
            let isFirst = watch.noteMoveFailure("full")
            #expect(isFirst == (number == 0))
        }
        watch.finish(RelativePath("4"), .gone)
        #expect(watch.status.movesPending == 4)
        #expect(watch.status.moveError == "full")
        // Looking again does not read them again.
        watch.accept(scan((0..<4).map { "\($0)" }), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 4.9).isEmpty)
        #expect(begun(&watch, at: 5) == [">0"])
        watch.finish(RelativePath("0"), .notMoved(record("0", 0), reason: "full"))
        let isFirst = watch.noteMoveFailure("full")
        #expect(!isFirst)
        #expect(begun(&watch, at: 12).isEmpty)
        #expect(begun(&watch, at: 13) == [">1"])
        watch.finish(RelativePath("1"), .moved(record("1", 1), place: nil))
        #expect(begun(&watch, at: 13) == [">2", ">3", ">0"])
    }

    @Test func beyondSoManyMovesNothingIsRead() {
        var watch = watch()
        for number in 0..<WatchStateMachine.maximumMoves { watch.adopt(record("\(number)", Int64(number))) }
        watch.accept(scan(["new"]), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 0).count == 8)
        for number in 0..<8 {
            watch.finish(RelativePath("\(number)"), .notMoved(record("\(number)", 0), reason: "full"))
            _ = watch.noteMoveFailure("full")
        }
        #expect(begun(&watch, at: 2).isEmpty)
        #expect(watch.status.waiting == 1)
    }

    /// Where nothing can be stored nothing is read but one, now and then; then all go on, the first of them first.
    @Test func anOutboxThatTakesNothing() {
        var watch = watch()
        let names = (0..<10).map { "\($0)" }
        watch.accept(scan(names), begin: .zero, isWhole: true)
        #expect(begun(&watch, at: 1) == Array(names.prefix(8)))
        for number in (0..<8).reversed() {
            watch.finish(RelativePath("\(number)"), .notStored(.version(1), reason: "full"))
        }
        #expect(watch.storeFailures == 8)
        #expect(begun(&watch, at: 30.9).isEmpty)
        #expect(begun(&watch, at: 31) == ["0"])
        watch.finish(RelativePath("0"), .taken(receipt("0", 1), codes: 1, place: nil))
        #expect(begun(&watch, at: 31) == Array(names[1...8]))
    }

    @Test func whatIsLeftIsForgottenWhenItIsGone() {
        var watch = watch { $0.after = .leave }
        var left = record("a", 1)
        left.state = .left
        watch.adopt(left)
        watch.now = .seconds(5)
        watch.accept(scan(["a"]), begin: .seconds(4), isWhole: true)
        #expect(begun(&watch, at: 9).isEmpty)
        // A look at a part of the folder says nothing of the rest.
        watch.accept(scan([]), begin: .seconds(6), isWhole: false)
        #expect(watch.closing.isEmpty)
        watch.accept(scan([]), begin: .seconds(6), isWhole: true)
        #expect(watch.closing.map(\.number) == [1])
    }

    @Test func aFolderThatIsGoneTakesItsFilesAlong() {
        var watch = watch()
        watch.accept(scan(["a/1", "a/b/2", "c"]), begin: .zero, isWhole: true)
        watch.forget(below: RelativePath("a"))
        #expect(begun(&watch, at: 1) == ["c"])
    }

    /// What is due cannot be done without the folder, and must not keep the loop running.
    @Test func withoutTheFolderOnlyItIsLookedFor() {
        var watch = watch()
        watch.accept(scan(["a"]), begin: .zero, isWhole: true)
        watch.adopt(record("b", 1))
        watch.now = .seconds(60)
        watch.nextRootCheck = .seconds(61)
        #expect(watch.nextDeadline(isStopping: false) == .seconds(61))
    }

    @Test func stoppingBeginsNothing() {
        var watch = watch()
        watch.adopt(record("a", 1))
        watch.accept(scan(["b"]), begin: .zero, isWhole: true)
        watch.now = .seconds(1)
        #expect(watch.nextJobs(isStopping: true).isEmpty)
        #expect(watch.inFlight == 0)
    }
}
