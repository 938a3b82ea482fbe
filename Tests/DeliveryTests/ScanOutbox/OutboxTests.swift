import BarcodeCore
import FoundationEssentials
import GRDB
import Glibc
import ScanEvents
import TestSupport
import Testing

@testable import ScanOutbox

/// Storing, claiming, settling, replaying and pruning.
@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    static let his = Destination(name: "his")
    static let log = Destination(name: "log", filter: EventFilter(symbologies: [.qrCode]), form: .event)

    @Test func aDeliveryForEachDestinationThatWantsIt() async throws {
        let box = try TestOutbox()
        let (ean, qr) = (ScanEvent.test(), ScanEvent.test("q", symbology: .qrCode))
        try await box.outbox.store([ean, qr], for: [Self.his, Self.log])
        #expect(try await box.outbox.event(ean.id)?.event == ean)
        #expect(try await box.outbox.event(ean.id)?.deliveries.map(\.destination) == ["his"])
        #expect(try await box.outbox.event(qr.id)?.deliveries.map(\.destination) == ["his", "log"])
        let status = try await box.outbox.status()
        #expect(status.events == 2)
        #expect(status.destinations.mapValues(\.counts) == ["his": [.pending: 2], "log": [.pending: 1]])
        #expect(status.destinations["his"]?.oldestPending == ean.time)
        #expect(try await box.outbox.verify() == [])
        #expect(try await box.outbox.event(EventID()) == nil)
    }

    /// As a backup may have that was copied back; a group may have been given access.
    @Test(arguments: [(0o666, 0o660), (0o644, 0o640), (0o640, 0o640), (0o600, 0o600)] as [(mode_t, mode_t)])
    func othersCannotReadIt(_ before: mode_t, _ after: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = folder["outbox.sqlite"]
        do { _ = try Outbox(path: path) }
        try #require(chmod(path, before) == 0)
        let outbox = try Outbox(path: path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == after)
        withExtendedLifetime(outbox) {}
    }

    @Test func theBytesAreThoseOfTheForm() async throws {
        let box = try TestOutbox()
        let event = ScanEvent.test("q", symbology: .qrCode)
        try await box.outbox.store([event], for: [Self.his, Self.log])
        for destination in [Self.his, Self.log] {
            let claims = try await box.outbox.claim(destination.name, limit: 9, now: Date(), lease: .seconds(60))
            #expect(claims.map(\.body) == [try destination.form.body(for: event)])
            #expect(claims.map(\.id) == [event.id.description])
            #expect(claims.map(\.mediaType) == ["application/json"])
        }
    }

    @Test func allOrNothing() async throws {
        let box = try TestOutbox()
        let (first, second) = (ScanEvent.test("1"), ScanEvent.test("2"))
        try await box.outbox.store([first], for: [Self.his])
        let error = await #expect(throws: OutboxError.self) {
            try await box.outbox.store([second, first], for: [Self.his])
        }
        #expect(error?.code == .duplicate)
        #expect(try await box.outbox.event(second.id) == nil)
    }

    @Test func whatIsAskedOfAClosedOutboxIsAnError() async throws {
        let box = try TestOutbox()
        try box.outbox.close()
        let reading = await #expect(throws: OutboxError.self) { try await box.outbox.status() }
        let storing = await #expect(throws: OutboxError.self) { try await box.outbox.store([.test()], for: []) }
        #expect(reading?.code == .database && storing?.code == .database)
    }

    @Test func oneAtFaultDoesNotHurtThoseThatShareItsCommit() async throws {
        let box = try TestOutbox()
        let known = ScanEvent.test("known")
        try await box.outbox.store([known], for: [])
        let stored = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<200 {
                group.addTask {
                    let event = index % 10 == 0 ? known : ScanEvent.test("\(index)")
                    do {
                        try await box.outbox.store([event], for: [Self.his])
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(stored == 180)
        #expect(try await box.outbox.status().events == 181)
    }

    /// A waiting service polls four times a second.
    @Test func askingWhatIsDueWritesNothing() async throws {
        let box = try TestOutbox()
        try await box.outbox.store([.test()], for: [Destination(name: "a")])
        let log = box.folder["outbox.sqlite-wal"]
        let before = try Data(contentsOf: URL(filePath: log)).count
        #expect(before > 0)
        for _ in 0..<3 {
            let claims = try await box.outbox.claim("b", limit: 8, now: Date(), lease: .seconds(1))
            #expect(claims.isEmpty)
        }
        #expect(try Data(contentsOf: URL(filePath: log)).count == before)
    }

    @Test func claimsAreLeased() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        try await box.outbox.store((0..<5).map { .test("\($0)") }, for: [Self.his])
        func claim(_ limit: Int) async throws -> [Claim] {
            try await box.outbox.claim("his", limit: limit, now: time.now, lease: .seconds(60))
        }
        let first = try await claim(3)
        #expect(first.count == 3)
        let second = try await claim(9)
        #expect(second.count == 2)
        #expect(Set(first.map(\.id)).isDisjoint(with: second.map(\.id)))
        #expect(try await claim(9) == [])
        try await box.outbox.release(second, now: time.now)
        #expect(Set(try await claim(9).map(\.id)) == Set(second.map(\.id)))
        time.pass(.seconds(61))
        #expect(try await claim(9).count == 5)
        #expect(try await box.outbox.claim("other", limit: 9, now: time.now, lease: .seconds(60)) == [])
    }

    @Test func leasesEndWithTheProcess() async throws {
        let folder = try TemporaryFolder()
        let event = ScanEvent.test()
        do {
            let outbox = try Outbox(path: folder["o"])
            try await outbox.store([event], for: [Self.his])
            #expect(try await outbox.claim("his", limit: 9, now: Date(), lease: .seconds(3600)).count == 1)
            try outbox.close()
        }
        let outbox = try Outbox(path: folder["o"])
        #expect(
            try await outbox.claim("his", limit: 9, now: Date(), lease: .seconds(60)).map(\.id) == [
                event.id.description
            ])
    }

    /// Claims the only delivery and settles it.
    private func attempt(
        _ state: DeliveryState, in outbox: Outbox, at now: Date, delay: Duration? = nil, status: Int? = nil,
        reason: String? = nil
    ) async throws {
        let claims = try await outbox.claim("his", limit: 1, now: now, lease: .seconds(60))
        let claim = try #require(claims.first)
        try await outbox.settle([
            Settlement(claim, state: state, delay: delay, status: status, reason: reason, attemptedAt: now)
        ])
    }

    @Test func attemptsAndFinalStates() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        let event = ScanEvent.test()
        try await box.outbox.store([event], for: [Self.his], now: time.now)
        try await attempt(
            .pending, in: box.outbox, at: time.now, delay: .seconds(5), status: 500, reason: "answered 500")
        #expect(
            try await box.outbox.event(event.id)?.deliveries == [
                .init(
                    destination: "his", state: .pending, attempts: 1, nextAttempt: time.now + 5, lastAttempt: time.now,
                    lastStatus: 500, lastError: "answered 500")
            ])
        time.pass(.milliseconds(4999))
        #expect(try await box.outbox.claim("his", limit: 1, now: time.now, lease: .seconds(60)) == [])
        time.pass(.milliseconds(1))
        try await attempt(.pending, in: box.outbox, at: time.now, delay: .seconds(300), reason: "x")
        time.pass(.seconds(300))
        try await attempt(.dead, in: box.outbox, at: time.now, reason: "y")
        #expect(
            try await box.outbox.event(event.id)?.deliveries == [
                .init(
                    destination: "his", state: .dead, attempts: 3, nextAttempt: nil, lastAttempt: time.now,
                    lastStatus: nil, lastError: "y")
            ])
        // A replay keeps the identifier and restarts the schedule.
        #expect(try await box.outbox.replay(.state(.dead), now: time.now) == 1)
        try await attempt(.delivered, in: box.outbox, at: time.now, status: 200)
        #expect(try await box.outbox.state(event.id) == .delivered)
        #expect(try await box.outbox.claim("his", limit: 1, now: .distantFuture, lease: .seconds(60)) == [])
    }

    @Test func aLateFailureDoesNotUndoADelivery() async throws {
        let box = try TestOutbox()
        let event = ScanEvent.test()
        try await box.outbox.store([event], for: [Self.his])
        let claim = try #require(try await box.outbox.claim("his", limit: 1, now: Date(), lease: .zero).first)
        for state in [DeliveryState.delivered, .dead] {
            try await box.outbox.settle([Settlement(claim, state: state, attemptedAt: Date())])
        }
        #expect(try await box.outbox.state(event.id) == .delivered)
    }

    @Test func disabledDestinations() async throws {
        let box = try TestOutbox()
        let events = (0..<2500).map { ScanEvent.test("\($0)") }
        try await box.outbox.store(events, for: [Self.his])
        try await box.outbox.disable("his", reason: "answered 410 Gone")
        let late = ScanEvent.test("late")
        try await box.outbox.store([late], for: [Self.his])
        var status = try await box.outbox.status()
        #expect(status.destinations["his"]?.counts == [.disabled: 2501])
        #expect(status.destinations["his"]?.disabled == "answered 410 Gone")
        try await box.outbox.enable("his")
        #expect(try await box.outbox.disabledDestinations() == [:])
        #expect(try await box.outbox.replay(.state(.disabled)) == 2501)
        status = try await box.outbox.status()
        #expect(status.destinations["his"]?.counts == [.pending: 2501])
    }

    @Test func replays() async throws {
        let box = try TestOutbox()
        let start = Date(milliseconds: 1_800_000_000_000)
        let events = (0..<3000).map { ScanEvent.test("\($0)", at: start + Double($0 / 2)) }
        try await box.outbox.store(events, for: [])
        #expect(try await box.outbox.replay(.event(events[0].id)) == 0)
        #expect(try await box.outbox.replay(.event(events[0].id), to: [Self.his, Self.log]) == 1)
        #expect(try await box.outbox.event(events[0].id)?.deliveries.map(\.destination) == ["his"])
        #expect(
            try await box.outbox.replay(.time(since: start + 100, until: start + 1300), to: [Self.his]) == 2400)
        #expect(try await box.outbox.status().destinations["his"]?.counts == [.pending: 2401])
        let error = await #expect(throws: OutboxError.self) { try await box.outbox.replay(.event(EventID())) }
        #expect(error?.code == .notFound)
    }

    @Test func aClockThatGoesBackAnHour() async throws {
        let box = try TestOutbox()
        let time = ManualTime()
        try await box.outbox.store([.test("new")], for: [Self.his], now: time.now)
        try await box.outbox.store([.test("failed")], for: [Self.his], now: time.now - 1)
        try await attempt(.pending, in: box.outbox, at: time.now, delay: .seconds(5), reason: "x")
        time.jump(-3600)
        #expect(try await box.outbox.claim("his", limit: 9, now: time.now, lease: .seconds(60)) == [])
        try await box.outbox.repairAfterClockJump(now: time.now)
        #expect(try await box.outbox.claim("his", limit: 9, now: time.now, lease: .seconds(60)).count == 1)
        #expect(try await box.outbox.claim("his", limit: 9, now: time.now + 5, lease: .seconds(60)).count == 1)
    }

    @Test func pruning() async throws {
        let start = Date(milliseconds: 1_800_000_000_000)
        let other = Destination(name: "other")
        // Ten events a second apart; 0, 3, 6, 9 have no destination, 1, 4, 7 are delivered, 2, 5, 8 pending.
        let cases: [(Retention, Double, Set<Int>)] = [
            (Retention(age: nil, count: nil), 1e6, Set(0..<10)),
            (Retention(age: .seconds(5), count: nil), 10, [2, 5, 6, 7, 8, 9]),
            (Retention(age: nil, count: 3), 10, [2, 5, 6, 7, 8, 9]),
            (Retention(age: nil, count: 100), 10, Set(0..<10)),
            (Retention(age: .seconds(5), count: 0), 10, [2, 5, 8]),
        ]
        for (retention, after, kept) in cases {
            let box = try TestOutbox()
            let events = (0..<10).map { ScanEvent.test("\($0)", at: start + Double($0)) }
            for (index, event) in events.enumerated() {
                try await box.outbox.store([event], for: index % 3 == 0 ? [] : [index % 3 == 1 ? Self.his : other])
                if index % 3 == 1 { try await attempt(.delivered, in: box.outbox, at: start) }
            }
            let count = try await box.outbox.prune(retention, now: start + after)
            let left = try await box.outbox.history(HistoryQuery()).map { $0.event.symbol.text }
            #expect(Set(left) == Set(kept.map(String.init)), "\(retention)")
            #expect(count == 10 - kept.count, "\(retention)")
            #expect(try await box.outbox.verify() == [])
        }
    }

    /// The events of one picture have the same time.
    @Test(arguments: [true, false]) func pruningKeepsTheNewestOfEventsOfTheSameTime(isDelivered: Bool) async throws {
        let box = try TestOutbox()
        let time = Date(milliseconds: 1_800_000_000_000)
        let events = (0..<2500).map { ScanEvent.test("\($0)", at: time) }
        try await box.outbox.store(events, for: isDelivered ? [Self.his] : [], now: time)
        if isDelivered {
            let claims = try await box.outbox.claim("his", limit: 2500, now: time, lease: .seconds(60))
            try await box.outbox.settle(claims.map { Settlement($0, state: .delivered, attemptedAt: time) })
        }
        #expect(try await box.outbox.prune(Retention(age: nil, count: 50), now: time) == 2450)
        #expect(try await box.outbox.prune(Retention(age: nil, count: 50), now: time) == 0)
        let left = try await box.outbox.history(HistoryQuery(limit: 100)).map { $0.event.symbol.text }
        let newest = (2450..<2500).map { String($0) }
        #expect(Set(left) == Set(newest))
    }

    /// An event that is delivered to one destination and pending for another does not count towards the limit.
    @Test func eventsThatAreStillPendingTakeNoRoomOfOthers() async throws {
        let box = try TestOutbox()
        let start = Date(milliseconds: 1_800_000_000_000)
        for index in 0..<20 {
            let destinations = index < 10 ? [Self.his] : [Self.his, Destination(name: "other")]
            try await box.outbox.store([.test("\(index)", at: start + Double(index))], for: destinations)
            try await attempt(.delivered, in: box.outbox, at: start)
        }
        #expect(try await box.outbox.prune(Retention(age: nil, count: 10), now: start) == 0)
        #expect(try await box.outbox.prune(Retention(age: nil, count: 8), now: start) == 2)
    }

    /// No event is acknowledged after its file was unlinked.
    @Test(arguments: ["outbox.sqlite", "outbox.sqlite-wal"], [nil, "elsewhere"])
    func filesThatAreGoneAreNoticed(_ name: String, _ target: String?) async throws {
        let box = try TestOutbox()
        let (first, second) = (ScanEvent.test("1"), ScanEvent.test("2"))
        try await box.outbox.store([first], for: [Self.his])
        if let target {
            #expect(rename(box.folder[name], box.folder[target]) == 0)
        } else {
            #expect(unlink(box.folder[name]) == 0)
        }
        let gone = await #expect(throws: OutboxError.self) { try await box.outbox.store([second], for: [Self.his]) }
        #expect(gone?.code == .moved)
        #expect(gone?.description.contains("\(box.folder[name]) was deleted or moved") == true)
        guard let target else { return }
        _ = try box.folder.file(name, "another file")
        let replaced = await #expect(throws: OutboxError.self) { try await box.outbox.store([second], for: []) }
        #expect(replaced?.description.contains("\(box.folder[name]) was replaced") == true)
        // Storing works again once the files are back.
        #expect(rename(box.folder[target], box.folder[name]) == 0)
        try await box.outbox.store([second], for: [Self.his])
        #expect(try await box.outbox.status().events == 2)
    }

    /// The write-ahead log is next to the target of the link.
    @Test func anOutboxBehindALink() async throws {
        let folder = try TemporaryFolder()
        #expect(mkdir(folder["inner"], 0o700) == 0)
        #expect(symlink("inner/outbox.sqlite", folder["link"]) == 0)
        let outbox = try Outbox(path: folder["link"])
        try await outbox.store([.test()], for: [Self.his])
        #expect(unlink(folder["inner/outbox.sqlite-wal"]) == 0)
        let gone = await #expect(throws: OutboxError.self) { try await outbox.store([.test()], for: []) }
        #expect(gone?.code == .moved)
    }

    @Test func aSecondHolderIsRefused() async throws {
        let box = try TestOutbox()
        let error = #expect(throws: OutboxError.self) { try Outbox(path: box.outbox.path) }
        #expect(error?.code == .inUse)
        #expect(error?.description.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    }

    @Test func filesThatAreNoOutbox() async throws {
        let folder = try TemporaryFolder()
        func code(_ name: String) -> OutboxError.Code? {
            do throws(OutboxError) {
                _ = try Outbox(path: folder[name])
                return nil
            } catch {
                return error.code
            }
        }
        try folder.file("text", String(repeating: "this is no database\n", count: 1000))
        #expect(code("text") == .corrupt)
        let foreign = try DatabaseQueue(path: folder["foreign"])
        try await foreign.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try foreign.close()
        #expect(code("foreign") == .notAnOutbox)
        try FileManager.default.createDirectory(atPath: folder["folder"], withIntermediateDirectories: true)
        #expect(code("folder") == .cannotOpen)
        let newer = try Outbox(path: folder["newer"])
        try newer.close()
        let raw = try DatabaseQueue(path: folder["newer"])
        try await raw.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999')") }
        try raw.close()
        withExtendedLifetime(newer) {}
        #expect(throws: OutboxError.self) { try Outbox(path: folder["missing"], mayCreate: false) }
        #expect(!FileManager.default.fileExists(atPath: folder["missing"]))
    }

    /// An outbox of the first version keeps its content.
    @Test func anOlderOne() async throws {
        let folder = try TemporaryFolder()
        do {
            let first = try Outbox(path: folder["old"])
            try await first.store([.test()], for: [Self.his])
            try first.close()
        }
        let raw = try DatabaseQueue(path: folder["old"])
        try await raw.write {
            try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = '2'")
        }
        try raw.close()
        let migrated = try Outbox(path: folder["old"])
        #expect(try await migrated.status().events == 1)
    }

    /// A power cut right after the creation of the migration table leaves only that table in the file.
    @Test func oneThatWasCutOffWhileItWasMade() async throws {
        let folder = try TemporaryFolder()
        let raw = try DatabaseQueue(path: folder["cut"])
        try await raw.write {
            try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        try raw.close()
        let outbox = try Outbox(path: folder["cut"])
        try await outbox.store([.test()], for: [Self.his])
        #expect(try await outbox.status().events == 1)
    }

    @Test func nobodyElseReadsIt() async throws {
        let box = try TestOutbox()
        try await box.outbox.store([.test()], for: [Self.his])
        for ending in ["", "-wal"] {
            var status = stat()
            #expect(stat(box.outbox.path + ending, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "outbox.sqlite\(ending)")
        }
    }

    @Test func itPromisesToTheDisk() async throws {
        let box = try TestOutbox()
        let modes = try await box.outbox.commits.read { database in
            try ["journal_mode", "synchronous", "locking_mode"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(modes == ["wal", "2", "exclusive"])
    }
}
