import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Power cuts: unlike kill -9, they lose the data cached by the system.
///
/// The program runs under `preload.c`, which records each write to the outbox's files, each fsync and each line of
/// acknowledgments. After a cut at a record, the files have the state of the earlier fsyncs. Later writes are lost,
/// or, in a second variant, partially present, because a disk may write them in any order.
@Suite(.timeLimit(.minutes(15))) struct PowerCutTests {
    /// One record of the log.
    struct Record {
        enum Kind: UInt8 {
            case create = 0x43
            case write = 0x57
            case truncate = 0x54
            case sync = 0x53
            case remove = 0x55
            case output = 0x4F
        }
        var kind: Kind
        var name: String
        var offset: Int
        var data: ArraySlice<UInt8>
    }

    private func records(_ bytes: [UInt8]) throws -> [Record] {
        var records: [Record] = []
        var place = 0
        func number(_ offset: Int, _ size: Int) -> Int {
            (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[place + offset + $1]) }
        }
        while place + 24 <= bytes.count {
            let (nameLength, offset, length) = (number(4, 4), number(8, 8), number(16, 8))
            let isData = [Record.Kind.write, .output].map(\.rawValue).contains(bytes[place])
            let kind = try #require(Record.Kind(rawValue: bytes[place]))
            place += 24
            let name = String(decoding: bytes[place..<place + nameLength], as: UTF8.self)
            place += nameLength
            let data = isData ? bytes[place..<place + length] : []
            place += data.count
            records.append(Record(kind: kind, name: name, offset: offset, data: data))
        }
        return records
    }

    /// The state of the disk at a moment of the log.
    struct Disk {
        /// The content of a file as programs see it, and the part that is on disk.
        var current: [String: [UInt8]] = [:]
        var durable: [String: [UInt8]] = [:]
        /// The changes since the last fsync of their file.
        var pending: [String: [Record]] = [:]
        /// The files whose directory entries are on disk.
        var names: Set<String> = []
        var folder: String

        mutating func apply(_ record: Record) {
            let name = record.name
            switch record.kind {
            case .create:
                current[name] = []
                durable[name] = []
                pending[name] = []
            case .write, .truncate:
                Self.change(&current[name, default: []], by: record)
                pending[name, default: []].append(record)
            case .sync where name == folder: names = Set(current.keys)
            case .sync:
                durable[name] = current[name]
                pending[name] = []
            case .remove:
                // A deleted file comes back after the cut unless the folder was synced.
                current[name] = nil
            case .output: break
            }
        }

        static func change(_ bytes: inout [UInt8], by record: Record) {
            if record.kind == .truncate {
                bytes =
                    Array(bytes.prefix(record.offset)) + Array(repeating: 0, count: max(0, record.offset - bytes.count))
                return
            }
            let end = record.offset + record.data.count
            if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(record.offset..<end, with: record.data)
        }

        /// Returns the files after a cut; if `part` is true, a random part of the unsynced data is present.
        func afterCut(keeping random: inout SeededGenerator, part: Bool) -> [String: [UInt8]] {
            var files: [String: [UInt8]] = [:]
            for name in names {
                var bytes = durable[name] ?? []
                if part {
                    for record in pending[name] ?? [] where Bool.random(using: &random) {
                        Self.change(&bytes, by: record)
                    }
                }
                files[name] = bytes
            }
            return files
        }
    }

    @Test func everyAcknowledgedEventSurvives() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let most = getenv("QUIETZONE_CUTS").flatMap { Int(String(cString: $0)) } ?? 25
        let (log, folder) = try await recorded()
        var disk = Disk(folder: folder)
        var acknowledged: Set<String> = []
        var cuts: [(files: [String: [UInt8]], acknowledged: Set<String>)] = []
        for record in try records(log) {
            // A cut right before an fsync loses most, one right after an acknowledgment breaks the strongest promise.
            if record.kind == .sync {
                for part in [false, true] { cuts.append((disk.afterCut(keeping: &random, part: part), acknowledged)) }
            }
            disk.apply(record)
            if record.kind == .output {
                acknowledged.formUnion(
                    String(decoding: record.data, as: UTF8.self).split(separator: "\n").map(String.init))
                for part in [false, true] { cuts.append((disk.afterCut(keeping: &random, part: part), acknowledged)) }
            }
        }
        let all = cuts.count
        if cuts.count > most { cuts = (0..<most).map { _ in cuts[Int.random(in: 0..<cuts.count, using: &random)] } }
        print("\(cuts.count) of \(all) cuts, \(acknowledged.count) acknowledged in the end, seed \(seed)")
        #expect(acknowledged.count == 150)
        for (number, cut) in cuts.enumerated() {
            let station = try Station()
            for (name, bytes) in cut.files where !name.hasSuffix(".lock") {
                try station.folder.file(String(name.dropFirst(folder.utf8.count + 1)), bytes)
            }
            guard access(station.database, F_OK) == 0 else {
                #expect(cut.acknowledged.isEmpty, "cut \(number): no database")
                continue
            }
            let verify = try await station("verify")
            #expect(verify.ending == .exit(0), "cut \(number): \(verify.messages)")
            let stored = Set(try await station.export().map(\.event.id))
            #expect(stored.isSuperset(of: cut.acknowledged), "cut \(number)")
        }
    }

    /// Returns a log of several processes that add events in sequence, so that write-ahead logs are truncated,
    /// deleted and created again.
    private func recorded() async throws -> (log: [UInt8], folder: String) {
        let station = try Station()
        let library = try Preload.library()
        let folder = try station.folder.folder("disk")
        let log = station.folder["log"]
        var runner = station.runner()
        runner.environment += [
            "LD_PRELOAD=\(library)", "QUIETZONE_RECORD=\(log)", "QUIETZONE_RECORD_PREFIX=\(folder)/outbox",
        ]
        for process in 0..<3 {
            let add = try runner.start(["add", "--database", "\(folder)/outbox.sqlite", "--set", "station=\(process)"])
            for line in 0..<50 {
                try add.send(report("\(process)-\(line)-" + String(repeating: "x", count: 500)))
                // One at a time, so that each is a commit of its own.
                _ = try #require(add.line())
            }
            #expect(try add.end().ending == .exit(0))
        }
        return (try #require(readFile(log)), folder)
    }
}
