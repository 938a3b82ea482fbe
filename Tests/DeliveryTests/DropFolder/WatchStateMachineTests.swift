import Foundation
import SystemPackage
import Testing

@testable import DropFolder
@testable import ScanOutbox

/// The actions of the watcher, without real files and clocks.
@Suite struct WatchStateMachineTests {
    /// A step of a case: an event, or the expected actions, at a time in seconds.
    enum Step: Sendable {
        case met(Double, WatchStateMachine.Event)
        /// The expected actions at a time, except for those of `quiet`, up to the wait or the end.
        case does(Double, [String])
        /// The time until which the machine then waits.
        case waits(Double, until: Double)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout DropFolderSettings) -> Void = { _ in }
        var steps: [Step]
    }

    /// Creates a machine with two jobs and a settle time of half a second, which has opened its folder and started a
    /// scan.
    private static func machine(
        alive: Duration? = nil, _ change: (inout DropFolderSettings) -> Void = { _ in }
    ) -> WatchStateMachine {
        var settings = DropFolderSettings(folder: Array("/in".utf8))
        settings.jobs = 2
        // Only the events of the case are due.
        settings.poll = .seconds(10_000)
        settings.rescan = .seconds(10_000)
        change(&settings)
        var machine = WatchStateMachine(settings: settings, aliveInterval: alive)
        machine.note(.rootOpened, at: .zero)
        machine.note(.watching(by: "inotify", isPolling: false), at: .zero)
        _ = actions(&machine, at: 0)
        return machine
    }

    /// Describes an action; `nil` for periodic actions.
    private static func text(_ action: WatchStateMachine.Action) -> String? {
        switch action {
        case .checkRoot: "check root"
        case .inspect(let heard): "inspect " + heard.map(\.path.display).joined(separator: " ")
        case .scan(let folder): "scan /" + folder.display
        case .begin(.read(let path, _, _, let failures)): path.display + (failures > 0 ? " again" : "")
        case .begin(.move(let record)): ">" + RelativePath(record.path).display
        case .close(let closing):
            "close " + closing.map { "\($0.number)" + ($0.place.map { "@" + $0.display } ?? "") }.joined(separator: " ")
        case .remove(let folders): "remove " + folders.map(\.display).joined(separator: " ")
        case .log(let notice): "log \(notice)".replacing("DropFolder.", with: "")
        case .end(let fault): "end" + (fault.map { " " + $0.description } ?? "")
        case .reportReady: "ready"
        case .reportAlive: "alive"
        case .publish, .prune, .wait: nil
        }
    }

    /// Returns all actions at a time, and the wait that follows.
    private static func actions(
        _ machine: inout WatchStateMachine, at seconds: Double
    ) -> (done: [String], wait: Duration, status: FolderStatus?) {
        var (done, status): ([String], FolderStatus?) = ([], nil)
        for _ in 0..<100_000 {
            let action = machine.nextAction(at: time(seconds))
            if let text = text(action) { done.append(text) }
            switch action {
            case .publish(let shown): status = shown
            case .wait(let until): return (done, until, status)
            case .end: return (done, .zero, status)
            default: break
            }
        }
        Issue.record("it never waits")
        return (done, .zero, status)
    }

    @Test(arguments: fileCases + folderCases + endCases) func steps(_ test: Case) {
        var machine = Self.machine(test.change)
        for (number, step) in test.steps.enumerated() {
            switch step {
            case .met(let seconds, let event): machine.note(event, at: Self.time(seconds))
            case .does(let seconds, let expected):
                #expect(Self.actions(&machine, at: seconds).done == expected, "step \(number)")
            case .waits(let seconds, let until):
                #expect(Self.actions(&machine, at: seconds).wait == Self.time(until), "step \(number)")
            }
        }
    }

    /// Converts seconds without the rounding errors of binary fractions.
    private static func time(_ seconds: Double) -> Duration { .milliseconds(Int((seconds * 1000).rounded())) }

    // MARK: helpers for the cases

    private static func scan(_ names: [String], _ version: Int64 = 1, failure: Errno? = nil) -> FolderScan {
        var scan = FolderScan()
        scan.files = names.map { FolderScan.Found(path: RelativePath($0), identity: .version(version)) }
        if let failure { scan.failures = [(RelativePath("sub"), failure)] }
        return scan
    }

    private static func found(_ names: String..., begin: Double = 0) -> WatchStateMachine.Event {
        .scanned(scan(names), begin: time(begin), isWhole: true)
    }

    private static func record(
        _ name: String, _ number: Int64, _ outcome: FileOutcome = .done, state: FileRecord.State = .stored
    ) -> FileRecord {
        FileRecord(
            number: number, folder: Array("/in".utf8), path: Array(name.utf8), hash: [1], identity: .version(1),
            time: Date(timeIntervalSince1970: 0), state: state, outcome: outcome)
    }

    private static func receipt(_ name: String, _ number: Int64, _ outcome: FileOutcome = .done) -> FileReceipt {
        FileReceipt(record: record(name, number, outcome), original: nil, isStored: true)
    }

    private static func archived(_ name: String, _ number: Int64, codes: Int = 1) -> WatchStateMachine.Event {
        .finished(
            RelativePath(name),
            .archived(receipt(name, number), codes: codes, place: RelativePath("done/" + name)))
    }

    private static func ended(_ name: String, _ result: FileResult) -> WatchStateMachine.Event {
        .finished(RelativePath(name), result)
    }

    private static func heard(_ name: String, _ kind: FolderChanges.Kind) -> WatchStateMachine.Event {
        changed { $0.note(RelativePath(name), kind) }
    }

    private static func changed(
        failure: String? = nil, _ change: (inout FolderChanges) -> Void = { _ in }
    ) -> WatchStateMachine.Event {
        var changes = FolderChanges()
        change(&changes)
        return .changed(changes, failure: failure)
    }

    private static func inspected(
        _ name: String, _ kind: FolderChanges.Kind, _ finding: WatchStateMachine.Inspection.Finding
    ) -> WatchStateMachine.Event {
        .inspected([.init(path: RelativePath(name), kind: kind, finding: finding)])
    }

    // MARK: files

    static let fileCases: [Case] = [
        Case(
            testDescription: "a stable file is read, and its row is closed after the move",
            steps: [
                .met(0, found("a")), .does(0.4, ["ready"]), .waits(0.4, until: 0.5), .does(0.5, ["a"]), .does(0.6, []),
                .met(1, archived("a", 7)), .does(1, []), .does(1.2, ["close 7@done/a"]), .met(1.2, .closed(1)),
                .does(9, []),
            ]),
        Case(
            testDescription: "a file with a change notification is checked, and must become stable again",
            steps: [
                .met(0, found()), .met(1, heard("a", .finished)), .does(1, ["inspect a", "ready"]),
                .met(1, inspected("a", .finished, .file(.version(1)))), .met(1.4, heard("a", .finished)),
                .does(1.4, ["inspect a"]), .met(1.4, inspected("a", .finished, .file(.version(1)))), .does(1.8, []),
                .does(1.9, ["a"]),
            ]),
        Case(
            testDescription: "an open file has a longer wait",
            steps: [
                .met(0, found()), .met(1, inspected("a", .opened, .file(.version(1)))), .does(2.9, ["ready"]),
                .does(3, ["a"]),
            ]),
        Case(
            testDescription: "a hidden file is ignored",
            steps: [.met(0, found()), .met(1, heard(".a", .finished)), .does(1, ["ready"])]),
        Case(
            testDescription: "a file that is replaced while it is read is checked again",
            steps: [
                .met(0, found("a")), .does(1, ["a", "ready"]), .met(1, inspected("a", .finished, .file(.version(2)))),
                .met(2, archived("a", 1)), .does(2, ["inspect a"]),
            ]),
        Case(
            testDescription: "a changed file must become stable again, and one that may be open waits longer",
            steps: [
                .met(0, found("a")), .does(1, ["a", "ready"]), .met(1, ended("a", .changed(.version(2)))),
                .does(1.4, []), .does(1.5, ["a"]), .met(1.5, ended("a", .busy(.version(2)))), .does(1.9, []),
                .does(2, ["a"]), .met(2, ended("a", .perhapsBusy(.version(2)))), .does(11.9, []), .does(12, ["a"]),
            ]),
        Case(
            testDescription: "a stored file is only moved",
            steps: [
                .met(0, .adopted(record("a", 1))), .met(0, found("a", "b")), .does(0, [">a", "ready"]),
                .does(1, ["b"]),
                .met(1, ended("a", .moved(record("a", 1), place: RelativePath("done/a")))),
                .does(1.2, ["close 1@done/a"]),
            ]),
        Case(
            testDescription: "after a failed move one file is tried at a time, after a success all are moved",
            steps: [
                .met(0, found("0", "1", "2", "3")), .does(1, ["0", "1", "2", "3", "ready"]),
                .met(1, ended("0", .stored(receipt("0", 0), codes: 1, reason: "full"))),
                .met(1, ended("1", .stored(receipt("1", 1), codes: 1, reason: "full"))),
                .met(1, ended("2", .stored(receipt("2", 2), codes: 1, reason: "full"))),
                .met(1, ended("3", .stored(receipt("3", 3), codes: 1, reason: "full"))),
                .does(1, ["log notMoved(\(RelativePath("0")), reason: \"full\")".replacing("DropFolder.", with: "")]),
                // Another scan does not decode them again.
                .met(2, found("0", "1", "2", "3")), .does(4.9, []), .does(5, [">0"]),
                .met(5, ended("0", .notMoved(record("0", 0), reason: "full"))), .does(12.9, []), .does(13, [">1"]),
                .met(13, ended("1", .moved(record("1", 1), place: nil))), .does(13, [">2", ">3", ">0"]),
            ]),
        Case(
            testDescription: "while nothing can be stored one file is retried, then all continue in order",
            steps: [
                .met(0, found("0", "1", "2")), .does(1, ["0", "1", "2", "ready"]),
                .met(1, ended("2", .notStored(.version(1), reason: "full"))),
                .met(1, ended("1", .notStored(.version(1), reason: "full"))),
                .met(1, ended("0", .notStored(.version(1), reason: "full"))),
                .does(1, ["log notStored(reason: \"full\")"]), .does(2.9, []), .does(3, ["0"]),
                .met(3, archived("0", 1)), .does(3, ["1", "2"]),
            ]),
        Case(
            testDescription: "an unreadable file is retried with backoff, and logged as a warning once",
            steps: [
                .met(0, found("a")), .does(1, ["a", "ready"]),
                .met(1, ended("a", .postponed(.version(1), reason: "shut"))),
                .does(1, ["log postponed(\(RelativePath("a")), reason: \"shut\", isFirst: true)"].map(plain)),
                .does(1.5, ["a again"]), .met(1.5, ended("a", .postponed(.version(1), reason: "shut"))),
                .does(1.5, ["log postponed(\(RelativePath("a")), reason: \"shut\", isFirst: false)"].map(plain)),
                .does(2.4, []), .does(2.5, ["a again"]),
            ]),
        Case(
            testDescription: "a file that stays is not read again, and forgotten when it is gone",
            change: { $0.after = .leave },
            steps: [
                .met(0, .adopted(record("a", 1, state: .left))), .met(5, found("a", begin: 4)),
                .does(9, ["ready"]),
                // A scan of a part of the folder says nothing about the rest.
                .met(9, .scanned(FolderScan(), begin: .seconds(6), isWhole: false)), .does(9.5, []),
                .met(10, .scanned(FolderScan(), begin: .seconds(6), isWhole: true)), .does(10.2, ["close 1"]),
            ]),
    ]

    /// The text without the name of the module.
    static func plain(_ text: String) -> String { text.replacing("DropFolder.", with: "") }

    // MARK: the folder

    static let folderCases: [Case] = [
        Case(
            testDescription: "the files of a removed folder are forgotten",
            steps: [
                .met(0, found("a/1", "a/b/2", "c")), .met(0, changed { $0.goneFolders = [RelativePath("a")] }),
                .does(1, ["c", "ready"]),
            ]),
        Case(
            testDescription: "a new folder is scanned, except for the target folders",
            steps: [
                .met(0, found()),
                .met(1, changed { $0.folders = ["sub", "done", ".hidden/x"].map { RelativePath($0) } }),
                .does(1, ["scan /sub", "ready"]),
            ]),
        Case(
            testDescription: "an overflow triggers a full scan",
            steps: [
                .met(0, found()), .met(1, changed { $0.isLossy = true }),
                .does(1, ["log overflow", "scan /", "ready"]),
            ]),
        Case(
            testDescription: "without inotify the folder is polled",
            change: { $0.poll = .seconds(2) },
            steps: [
                .met(0, found()), .met(1, changed(failure: "no watches")),
                .does(1, ["log inotifyFailed(reason: \"no watches\")", "ready"]), .does(3, ["check root", "scan /"]),
            ]),
        Case(
            testDescription: "one scan runs at a time, and the next one waits four times its duration",
            change: { $0.rescan = .seconds(1) },
            steps: [
                .does(5, []), .met(10, found(begin: 0)), .does(49, ["ready"]), .does(50, ["scan /"]), .does(51, []),
            ]),
        Case(
            testDescription: "a folder that was unreadable for lack of resources is scanned again soon",
            steps: [
                .met(1, .scanned(scan([], failure: .tooManyOpenFiles), begin: .zero, isWhole: true)),
                .does(
                    1, ["log folderUnreadable(\(RelativePath("sub")), reason: \(Errno.tooManyOpenFiles))"].map(plain)),
                .does(1.9, []), .does(2, ["scan /"]),
            ]),
        Case(
            testDescription: "an unreadable folder is logged once, and again after it was readable",
            steps: [
                .met(0, .scanned(scan([], failure: .permissionDenied), begin: .zero, isWhole: true)),
                .does(
                    0,
                    ["log folderUnreadable(\(RelativePath("sub")), reason: \(Errno.permissionDenied))", "ready"]
                        .map(plain)),
                .met(1, .scanned(scan([], failure: .permissionDenied), begin: .zero, isWhole: true)), .does(1, []),
                .met(2, found()), .does(2, []),
                .met(3, .scanned(scan([], failure: .permissionDenied), begin: .zero, isWhole: true)),
                .does(
                    3, ["log folderUnreadable(\(RelativePath("sub")), reason: \(Errno.permissionDenied))"].map(plain)),
            ]),
        Case(
            testDescription: "without the folder only the search for it runs",
            change: { $0.poll = .seconds(2) },
            steps: [
                .met(0, found("a")), .met(0, .adopted(record("b", 1))), .met(0, heard("c", .finished)),
                .met(0.1, .rootLost(reason: "gone")), .does(0.1, ["log rootLost(reason: \"gone\")", "ready"]),
                .does(0.3, []), .waits(0.3, until: 0.6), .does(0.6, ["check root"]),
                .met(0.6, .rootLost(reason: "gone")),
                .does(0.7, []), .met(1, .rootOpened), .does(1, ["log rootBack", "scan /", ">b", "a"]),
            ]),
        Case(
            testDescription: "another watcher of the folder is logged once",
            change: { $0.poll = .seconds(2) },
            steps: [
                .met(0, .rootInUse(reason: "in use")), .does(0, ["log rootInUse(reason: \"in use\")"]),
                .does(2, ["check root"]), .met(2, .rootInUse(reason: "in use")), .does(2, []),
            ]),
        Case(
            testDescription: "an entry that is not a regular file is logged once",
            steps: [
                .met(0, found()), .met(1, inspected("pipe", .finished, .nonRegularFile)),
                .met(1, inspected("pipe", .finished, .nonRegularFile)),
                .does(1, ["log nonRegularFile(\(RelativePath("pipe")))", "ready"].map(plain)),
            ]),
        Case(
            testDescription: "a file that is gone at the check is forgotten",
            steps: [.met(0, found("a")), .met(0.1, inspected("a", .gone, .absent)), .does(1, ["ready"])]),
        Case(
            testDescription: "empty folders are removed after a delay, and their parent after another one",
            change: { $0.removeEmpty = .seconds(3) },
            steps: [
                .met(0, found("x/y/a")), .does(1, ["x/y/a", "ready"]), .met(1, archived("x/y/a", 1)),
                .does(1.2, ["close 1@done/x/y/a"]), .met(1.2, .closed(1)), .does(4.1, []), .does(4.2, ["remove x/y"]),
                .met(4.2, .removed([RelativePath("x/y")])), .does(7.1, []), .does(7.2, ["remove x"]),
            ]),
    ]

    // MARK: shutdown

    static let endCases: [Case] = [
        Case(
            testDescription: "stopping starts nothing, and ends after the files in progress",
            steps: [
                .met(0, found("a", "b")), .does(1, ["a", "b", "ready"]), .met(1, .stopRequested),
                .met(1, archived("a", 1)), .does(1.2, ["close 1@done/a"]), .met(1.2, .closed(1)),
                .met(1.3, inspected("c", .finished, .file(.version(1)))), .does(3, []), .met(4, archived("b", 2)),
                .does(4, ["close 2@done/b", "end"]),
            ]),
        Case(
            testDescription: "once ends when nothing is left to do",
            change: { $0.once = true },
            steps: [
                .met(0, found("a")), .does(0.2, ["ready"]), .does(1, ["a"]), .met(1, archived("a", 1)),
                .does(1, ["close 1@done/a", "end"]),
            ]),
        Case(
            testDescription: "once waits for the scan of a new folder",
            change: { $0.once = true },
            steps: [
                .met(0, changed { $0.folders = [RelativePath("sub")] }), .does(0, ["scan /sub"]), .met(1, found()),
                .does(1, ["ready"]),
                .met(2, .scanned(FolderScan(), begin: .zero, isWhole: false)), .does(2, ["end"]),
            ]),
        Case(
            testDescription: "once gives up on a file after three failed attempts",
            change: { $0.once = true },
            steps: [
                .met(0, found("a")), .does(1, ["a", "ready"]), .met(1, ended("a", .postponed(.version(1), reason: ""))),
                .does(2, [postponed("a", isFirst: true), "a again"]),
                .met(2, ended("a", .postponed(.version(1), reason: ""))),
                .does(9, [postponed("a", isFirst: false), "a again"]),
                .met(9, ended("a", .postponed(.version(1), reason: ""))),
                .does(9, [postponed("a", isFirst: false), "end"]),
            ]),
        Case(
            testDescription: "an unwritable journal is retried, and once more at the end",
            steps: [
                .met(0, .adopted(record("a", 1))), .met(0, found()), .does(0, [">a", "ready"]),
                .met(0, ended("a", .moved(record("a", 1), place: nil))), .does(0.2, ["close 1"]),
                .met(0.2, .notClosed(reason: "full")), .does(0.6, []), .does(0.7, ["close 1"]),
                .met(0.7, .notClosed(reason: "full")), .met(0.8, .stopRequested), .does(0.8, ["close 1", "end"]),
            ]),
        Case(
            testDescription: "a folder whose name leads elsewhere ends the watcher, after the files in progress",
            steps: [
                .met(0, found("a")), .does(1, ["a", "ready"]), .met(1, .rootMoved(FolderMoved(description: "moved"))),
                .does(1, []), .met(2, archived("a", 1)), .does(2, ["close 1@done/a", "end moved"]),
            ]),
    ]

    static func postponed(_ name: String, isFirst: Bool) -> String {
        plain("log postponed(\(RelativePath(name)), reason: \"\", isFirst: \(isFirst))")
    }

    // MARK: many files and counts

    @Test func aHundredThousandWaitAndFewAreInFlight() {
        var machine = Self.machine()
        let names = (0..<100_000).map { "\($0)" }
        machine.note(.scanned(Self.scan(names), begin: .zero, isWhole: true), at: .zero)
        #expect(Self.actions(&machine, at: 0.4).done == ["ready"])
        var (done, _, status) = Self.actions(&machine, at: 0.7)
        #expect(done == Array(names.prefix(8)))
        #expect(status?.waiting == 99_992 && status?.inFlight == 8)
        #expect(Self.actions(&machine, at: 0.8).done.isEmpty)
        for number in 0..<3 {
            machine.note(Self.archived("\(number)", Int64(number), codes: 2), at: .milliseconds(900))
        }
        // In the order of arrival; another scan starts nothing twice.
        machine.note(.scanned(Self.scan(names), begin: .zero, isWhole: true), at: .seconds(1))
        (done, _, status) = Self.actions(&machine, at: 1)
        #expect(done == ["8", "9", "10"])
        #expect(status?.done == 3 && status?.codes == 6)
        #expect(status?.oldestWaitingSeconds == 0.3)
    }

    @Test func beyondSoManyMovesNothingIsRead() {
        var machine = Self.machine()
        for number in 0..<FileTracker.maximumMoves {
            machine.note(.adopted(Self.record("\(number)", Int64(number))), at: .zero)
        }
        machine.note(Self.found("new"), at: .zero)
        #expect(Self.actions(&machine, at: 0).done.count == 8 + 1)
        for number in 0..<8 {
            machine.note(
                Self.ended("\(number)", .notMoved(Self.record("\(number)", 0), reason: "full")), at: .zero)
        }
        let (done, _, status) = Self.actions(&machine, at: 2)
        #expect(done.count == 1 && done[0].hasPrefix("log notMoved"))
        #expect(status?.waiting == 1 && status?.movesPending == FileTracker.maximumMoves)
        #expect(status?.moveError == "full" && status?.lastError == "full")
    }

    @Test func manyRowsAreClosedAtOnce() {
        var machine = Self.machine()
        for number in 0..<300 {
            machine.note(.adopted(Self.record("\(number)", Int64(number), state: .left)), at: .zero)
        }
        machine.note(.scanned(FolderScan(), begin: .seconds(1), isWhole: true), at: .seconds(1))
        let done = Self.actions(&machine, at: 1).done
        #expect(done.count == 2 && done[0].hasPrefix("close ") && done[0].split(separator: " ").count == 301)
        // While the journal cannot be written, there is a pause.
        machine.note(.notClosed(reason: "full"), at: .seconds(1))
        #expect(Self.actions(&machine, at: 1.4).done.isEmpty)
        #expect(Self.actions(&machine, at: 1.5).done.count == 1)
    }

    @Test func itIsAliveAsLongAsItGoesRound() {
        var machine = Self.machine(alive: .seconds(5))
        machine.note(Self.found(), at: .seconds(1))
        #expect(Self.actions(&machine, at: 1).done == ["ready"])
        #expect(Self.actions(&machine, at: 1).wait == .seconds(5))
        #expect(Self.actions(&machine, at: 5).done == ["alive"])
        machine.note(.stopRequested, at: .seconds(6))
        #expect(Self.actions(&machine, at: 6).done == ["end"])
    }
}
