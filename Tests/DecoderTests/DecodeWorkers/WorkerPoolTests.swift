import BarcodeCore
import DecodeReports
import DecodeWorkers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The pool with workers that are shell scripts and misbehave.
@Suite(.timeLimit(.minutes(10))) struct WorkerPoolTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var behavior: Behavior
        var message: String?
        var testDescription: String { "\(behavior)" }
    }

    static let cases: [Case] = [
        .init(behavior: .answers), .init(behavior: .answersLate), .init(behavior: .answersInPieces),
        .init(behavior: .answersAnotherFirst), .init(behavior: .answersThenEnds), .init(behavior: .answersThenDies),
        .init(behavior: .dies, message: "signal 11"), .init(behavior: .ends, message: "exit status 3"),
        .init(behavior: .endsWell, message: "exit status 0"), .init(behavior: .answersGarbage),
        .init(behavior: .answersHalfALine, message: "exit status 1"),
        .init(behavior: .answersNothing, message: "took longer than 5.0 seconds"),
        .init(behavior: .closesOutput), .init(behavior: .answersGarbageAndStays),
        .init(
            behavior: .answersByAnotherProtocol,
            message: "the worker uses version 9 of the worker protocol, but this program needs version 1"),
        .init(behavior: .runsOutOfMemory, message: "needs more memory than the limit of a worker"),
    ]

    /// Each behavior between successful pictures, all with one worker.
    @Test(arguments: cases) func behavior(_ test: Case) async throws {
        // The others must finish within the timeout too, with a newly started worker.
        let timeout: Duration = test.behavior == .answersNothing ? .seconds(5) : .seconds(60)
        let names = ["before", "it", "after", "last"]
        let reports = await FakeWorker.pool(workers: 1, timeout: timeout).during { pool in
            var reports: [DecodeReport] = []
            for name in names {
                reports.append(await pool.decode(FakeWorker.request(name, name == "it" ? test.behavior : .answers)))
            }
            return reports
        }
        #expect(reports.map { $0.error?.code.rawValue } == [nil, test.behavior.code, nil, nil])
        if test.behavior.code != nil { #expect(reports[1].source == "it") }
        if let message = test.message {
            #expect(reports[1].error?.message.contains(message) == true, "\(reports[1].error?.message ?? "")")
        }
    }

    /// An answer with the right number that is not a report.
    @Test func anAnswerWithoutAReport() async throws {
        let script = #"""
            while IFS= read -r line; do
                id=${line#*\"id\":}; id=${id%%[,\}]*}
                echo "{\"id\":$id,\"report\":{\"schema\":1}}"
            done
            """#
        let report = await FakeWorker.pool(workers: 1, script: script).during { pool in
            await pool.decode(FakeWorker.request("it", .answers))
        }
        #expect(report.source == "it" && report.error?.code == .readerCrashed, "\(report)")
    }

    /// Parsing an answer takes many times its memory.
    @Test func anAnswerThatIsTooLong() async {
        let script = "head -c 20000000 /dev/zero; exec tail -f /dev/null"
        let report = await FakeWorker.pool(workers: 1, script: script).during { pool in
            await pool.decode(FakeWorker.request("it", .answers))
        }
        #expect(report.error?.code == .readerCrashed)
    }

    /// Open files that a worker passes to the pool would count as those of its user, until nobody can pass any.
    @Test func aWorkerCannotWriteToItsInput() async throws {
        let script = #"""
            while IFS= read -r line; do
                id=${line#*\"id\":}; id=${id%%[,\}]*}
                head -c 1 /dev/zero >&0 2>/dev/null
                report="{\"id\":$id,\"report\":{\"schema\":1,\"source\":\"a\",\"width\":$?,\"height\":1,"
                echo "$report\"orientation\":1,\"symbols\":[],\"truncated\":false,\"milliseconds\":{\"load\":0,\"decode\":0}}}"
            done
            """#
        let report = await FakeWorker.pool(workers: 1, script: script).during { pool in
            await pool.decode(FakeWorker.request("it", .answers))
        }
        #expect(report.error == nil && report.width != 0)
    }

    /// A worker dies on the first page: another one counts the pages, and the others are decoded.
    @Test func aLostPageDoesNotHideTheOthers() async throws {
        let script = #"""
            while IFS= read -r line; do
                id=${line#*\"id\":}; id=${id%%[,\}]*}
                report="{\"id\":$id,\"report\":{\"schema\":1,\"source\":\"a\",\"width\":1,\"height\":1,\"pages\":3,"
                tail="\"orientation\":1,\"symbols\":[],\"truncated\":false,\"milliseconds\":{\"load\":0,\"decode\":0}}}"
                case $line in
                    *'"countsPages":true'* | *'"page":'*) echo "$report$tail" ;;
                    *) kill -SEGV $$ ;;
                esac
            done
            """#
        let folder = try TemporaryFolder()
        let reports = try await FakeWorker.pool(script: script).during { pool in
            let reader = DocumentReader(window: 2, decode: pool.decode)
            let document = try folder.file("a.pdf", Array("%PDF-1.4".utf8))
            let picture = try folder.file("a.png", Array("picture".utf8))
            return [
                await reader.read(WorkerRequest(path: PictureName(document))),
                await reader.read(WorkerRequest(path: PictureName(picture))),
            ]
        }
        #expect(reports.map { $0.map(\.page) } == [[1, 2, 3], [nil]])
        #expect(reports.map { $0.map(\.error?.code) } == [[.readerCrashed, nil, nil], [.readerCrashed]])
    }

    @Test func answersGoToThoseWhoAsked() async throws {
        let answers = await FakeWorker.pool(workers: 4).during { pool in
            await withTaskGroup(of: (String, DecodeReport).self) { group in
                for index in 0..<200 {
                    let name = "picture \(index)"
                    group.addTask { (name, await pool.decode(FakeWorker.request(name, .answers))) }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        #expect(answers.count == 200)
        for (name, report) in answers {
            #expect(report.error == nil)
            #expect(report.source == Data(name.utf8).base64EncodedString())
        }
    }

    @Test func oneWorkerAnswersInOrder() async {
        // The script reports its process identifier: one process serves all.
        let pids = await FakeWorker.pool(workers: 1).during { pool in
            var pids: [Int] = []
            for index in 0..<20 { pids.append(await pool.decode(FakeWorker.request("\(index)", .answers)).width) }
            return pids
        }
        #expect(Set(pids).count == 1)
    }

    @Test func aWorkerIsReplacedWhenItHasServedItsTime() async {
        let pids = await FakeWorker.pool(workers: 1, picturesPerWorker: 3).during { pool in
            var pids: [Int] = []
            for index in 0..<9 { pids.append(await pool.decode(FakeWorker.request("\(index)", .answers)).width) }
            return pids
        }
        #expect([pids[0], pids[3], pids[6]].count == Set(pids).count)
        #expect(pids == [0, 0, 0, 3, 3, 3, 6, 6, 6].map { pids[$0] })
    }

    @Test func aSlowStartIsNoFailure() async {
        let pool = FakeWorker.pool(workers: 1, script: "sleep 0.3\n" + FakeWorker.script)
        let report = await pool.during { await $0.decode(FakeWorker.request("a", .answers)) }
        #expect(report.error == nil)
    }

    @Test func anExecutableThatIsMissing() async {
        let reports = await FakeWorker.pool(executable: "/nowhere/worker").during { pool in
            var reports: [DecodeReport] = []
            for name in ["a", "b", "c"] { reports.append(await pool.decode(FakeWorker.request(name, .answers))) }
            return reports
        }
        #expect(reports.map(\.source) == ["a", "b", "c"])
        for report in reports {
            #expect(report.error?.code == .noWorker)
            #expect(report.error?.message.hasPrefix("was not decoded: no worker could be started") == true)
        }
    }

    @Test func aWorkerThatNeverReadsIsGivenUp() async {
        let pool = FakeWorker.pool(workers: 1, timeout: .seconds(0.3), script: "exec tail -f /dev/null")
        // Longer than the capacity of a pipe, so that even the request cannot be written.
        let request = WorkerRequest(path: PictureName(bytes: [UInt8](repeating: 0x61, count: 300_000)))
        let report = await pool.during { await $0.decode(request) }
        #expect(report.error?.code == .timedOut)
    }

    @Test func nothingIsTakenAfterTheEnd() async {
        let pool = FakeWorker.pool()
        let before = await pool.during { await $0.decode(FakeWorker.request("a", .answers)) }
        #expect(before.error == nil)
        let after = await pool.decode(FakeWorker.request("b", .answers))
        #expect(after.error?.code == .cancelled)
        #expect(after.source == "b")
    }

    @Test func finishLetsWaitingPicturesBeDecoded() async {
        let pool = FakeWorker.pool(workers: 1)
        let reports = await withTaskGroup(of: DecodeReport.self) { group in
            for index in 0..<10 { group.addTask { await pool.decode(FakeWorker.request("\(index)", .answers)) } }
            // Each task above has added its picture, or will add it to a finished pool.
            pool.finish()
            await pool.run()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.count == 10)
        #expect(reports.allSatisfy { $0.error == nil || $0.error?.code == .cancelled })
    }

    @Test func cancellationAnswersEveryPicture() async {
        let pool = FakeWorker.pool(workers: 2, timeout: .seconds(50))
        let reports = await withTaskGroup(of: DecodeReport?.self) { group in
            let running = Task { await pool.run() }
            // One answer shows that the workers run; the rest would take forever.
            _ = await pool.decode(FakeWorker.request("first", .answers))
            for index in 0..<10 { group.addTask { await pool.decode(FakeWorker.request("\(index)", .answersNothing)) } }
            running.cancel()
            await running.value
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(reports.count == 10)
        #expect(reports.allSatisfy { $0?.error?.code == .cancelled })
    }

    /// The bytes of a picture wait for room in the socket to the worker.
    @Test(.timeLimit(.minutes(5))) func aWorkerThatTakesNoBytes() async {
        let pool = FakeWorker.pool(workers: 1, timeout: .milliseconds(200), script: "exec tail -f /dev/null")
        let report = await pool.during { pool in
            await pool.decode(WorkerRequest(bytes: [UInt8](repeating: 0, count: 8 << 20), name: PictureName("a")))
        }
        #expect(report.error?.code == .timedOut)
    }

    /// For any mix of behaviors, each picture gets its own correct answer, once.
    @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1, 2]) func anyMixOfBehaviors(_ seed: UInt64) async {
        print("behaviors from seed \(seed)")
        var numbers = SeededGenerator(seed: seed)
        // At most one hang per worker: its timeout must be long enough for the others on a busy machine.
        let hangs = Set((0..<3).map { _ in Int.random(in: 0..<60, using: &numbers) })
        let plan = (0..<60).map { index in
            if hangs.contains(index) { return Behavior.answersNothing }
            // Mostly successful.
            let others = Behavior.allCases.filter { $0 != .answersNothing }
            return Bool.random(using: &numbers) ? .answers : others.randomElement(using: &numbers) ?? .answers
        }
        let pool = FakeWorker.pool(workers: 3, timeout: .seconds(5), picturesPerWorker: 7)
        let reports = await pool.during { pool in
            await withTaskGroup(of: (Int, DecodeReport).self) { group in
                for (index, behavior) in plan.enumerated() {
                    group.addTask { (index, await pool.decode(FakeWorker.request("\(index)", behavior))) }
                }
                return await group.reduce(into: [Int: [DecodeReport]]()) { $0[$1.0, default: []].append($1.1) }
            }
        }
        #expect(reports.count == plan.count)
        for (index, behavior) in plan.enumerated() {
            let codes = reports[index]?.map { $0.error?.code.rawValue }
            #expect(codes == [behavior.code], "picture \(index), \(behavior), seed \(seed)")
            let name = behavior.code == nil ? Data("\(index)".utf8).base64EncodedString() : "\(index)"
            #expect(reports[index]?.first?.source == name)
        }
    }
}
