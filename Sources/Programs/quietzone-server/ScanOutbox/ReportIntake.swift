import BarcodeCore
import DecodeReports
import ProgramSupport
import ScanEvents
import ScanOutbox
import ServiceLifecycle
import Synchronization

/// Reads lines of `decode-image --json` from standard input and stores their symbols.
final class ReportIntake: Service {
    /// The counts of images, events and lines.
    struct Counts {
        var pictures = 0
        var stored = 0
        /// Unreadable images, which create no event.
        var unread = 0
        /// Lines that are not a report.
        var refused = 0
    }

    /// The maximum length of a line, in bytes; decode-image writes none that is longer.
    private static let maximumLineBytes = 64 << 20

    private let intake: ScanIntake
    private let kind: ScanSource.Kind
    private let namesEvidence: Bool
    private let state = Mutex((counts: Counts(), line: 0, isDone: false))

    init(intake: ScanIntake, kind: ScanSource.Kind, namesEvidence: Bool) {
        self.intake = intake
        self.kind = kind
        self.namesEvidence = namesEvidence
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Indicates whether standard input has ended.
    var isDone: Bool { state.withLock { $0.isDone } }

    func run() async throws { try await readAll() }

    /// Reads until the end of the input, or a shutdown.
    ///
    /// The lines that arrive together are stored in one transaction, after which their identifiers are written.
    func readAll() async throws {
        defer { state.withLock { $0.isDone = true } }
        var lines = LineBuffer(limit: Self.maximumLineBytes)
        while let chunk = try await StandardInput.read() {
            lines.append(chunk)
            var whole: [LineBuffer.Line] = []
            while let line = lines.nextLine() { whole.append(line) }
            if !whole.isEmpty { try await store(whole) }
        }
        guard let line = lines.lastLine() else { return }
        if Task.isCancelled || Task.isShuttingDownGracefully {
            let number = state.withLock { $0.line } + 1
            ScanOutboxProgram.say("stopped amid line \(number) of standard input, which was not stored: send it again")
        } else {
            try await store([line])
        }
    }

    private var stored: String { "stored so far: \(counts.stored.counted("event"))" }

    private func store(_ lines: [LineBuffer.Line]) async throws {
        var submissions: [ScanSubmission] = []
        for line in lines {
            let number = state.withLock { state in
                state.line += 1
                return state.line
            }
            switch line {
            case .tooLong(let length):
                refuse(number, "it has \(length) bytes; the limit is \(Self.maximumLineBytes)")
            case .whole(let bytes) where bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D }): continue
            case .whole(let bytes):
                do {
                    let report = try JSONLine.decode(DecodeReport.self, from: bytes)
                    state.withLock { state in
                        state.counts.pictures += 1
                        if report.error != nil { state.counts.unread += 1 }
                    }
                    submissions.append(submission(in: report))
                } catch {
                    refuse(number, LineFault.sentence(error, in: bytes))
                }
            }
        }
        do {
            let events = try await intake.accept(submissions)
            state.withLock { $0.counts.stored += events.count }
            if try await !Output.writeElsewhere(events.map { "\($0.id)" }) {
                throw Failure(
                    message:
                        "standard output was closed: the identifiers of \(events.count.counted("stored event")) "
                        + "could not be written; \(stored)")
            }
        } catch let error as OutboxError {
            throw Failure(message: "\(error); \(stored)")
        }
    }

    private func refuse(_ number: Int, _ fault: String) {
        state.withLock { $0.counts.refused += 1 }
        ScanOutboxProgram.say("line \(number) of standard input skipped: \(fault)")
    }

    private func submission(in report: DecodeReport) -> ScanSubmission {
        ScanSubmission(
            report, source: ScanSource(kind: kind, fileOf: report),
            evidence: namesEvidence ? Evidence(uri: report.source) : nil)
    }

    /// Reports the counts on standard error.
    func summarize() {
        let counts = counts
        var parts = ["\(counts.stored.counted("event")) of \(counts.pictures.counted("picture")) stored"]
        if intake.dropped > 0 { parts.append("\(intake.dropped.counted("repetition")) dropped") }
        if counts.unread > 0 { parts.append("\(counts.unread.counted("picture")) could not be read") }
        if counts.refused > 0 { parts.append("\(counts.refused.counted("line")) skipped") }
        ScanOutboxProgram.say(parts.joined(separator: ", "))
    }
}
