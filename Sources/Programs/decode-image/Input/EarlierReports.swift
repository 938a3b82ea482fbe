import BarcodeCore
import DecodeReports
import DecodeWorkers
import Glibc
import ProgramSupport

/// The reports of an earlier run in a file, from which an interrupted run resumes.
struct EarlierReports {
    /// A hash of a name as two numbers, because a million names take too much memory.
    ///
    /// The probability of a collision among a million names is 10^-26.
    private struct NameHash: Hashable {
        var one: Int
        var other: Int

        init(_ name: PictureName) {
            (one, other) = (name.bytes.hashValue, (name.bytes + [0]).hashValue)
        }
    }

    /// The reports on one image or document.
    private struct Tally {
        /// The number of complete reports: a list may name an image twice.
        var reports = 0
        /// The numbers of existing and expected reports on a document.
        var pages = 0
        var wantedPages = 0
        /// The combined result.
        var result = RunStatus.Tally()
    }

    private var tallies: [NameHash: Tally] = [:]
    /// Indicates whether there are lines about images that are read again nevertheless.
    private var hasOpenLines = false
    private let settings: RunSettings

    /// The longest line in bytes, as in the answer of a worker.
    private static let maximumLineBytes = 64 << 20

    /// Failures that are retried, because the machine was their cause.
    private static let retried: Set<DecodeError.Code> = [.noWorker, .resourceShortage, .cancelled]

    /// Reads a file and redirects standard output to its end, after the last whole line.
    ///
    /// A missing file is created. An incomplete line is removed, as are pages of incomplete documents and images
    /// for which no worker could be started; in these cases the file is rewritten.
    ///
    /// - Throws: ``DecodeError`` if the file cannot be read or written, or contains anything but reports.
    init(adoptingFile path: String, settings: RunSettings) throws(DecodeError) {
        self.settings = settings
        let name = RawArguments.name(path)
        // Before it is opened: a device has no end, and a pipe cannot be read again.
        if let kind = FileKind(of: name.bytes), kind != .file {
            throw DecodeError(.unreadable, "is not a regular file, which --resume needs").about(name.display)
        }
        var file = try Self.open(name.bytes, O_RDWR | O_CREAT, about: name)
        var isWhole = 0
        try Self.lines(of: file, about: name) { (line, number, end) throws(DecodeError) in
            guard let report = try? JSONLine.decode(DecodeReport.self, from: line) else {
                throw DecodeError(.unreadable, "line \(number) is not an answer of --json; the file was not changed")
                    .about(
                        name.display)
            }
            add(report)
            isWhole = end
        }
        // What follows the whole lines is removed, so it must be the beginning of one.
        var tail = [UInt8](repeating: 0, count: 2)
        let count = pread(file, &tail, tail.count, isWhole)
        guard count >= 0, Array(#"{""#.utf8).starts(with: tail[..<count]) else {
            throw DecodeError(.unreadable, "does not end with an answer of --json; the file was not changed")
                .about(name.display)
        }
        guard ftruncate(file, isWhole) == 0 else { throw Self.failure("cannot be truncated", about: name) }
        closeDocuments()
        if hasOpenLines { file = try rewrite(file, name) }
        guard lseek(file, 0, SEEK_END) >= 0, fcntl(file, F_SETFL, O_APPEND) == 0, dup2(file, STDOUT_FILENO) >= 0 else {
            throw Self.failure("cannot be appended to", about: name)
        }
        Glibc.close(file)
    }

    /// The result of an image that has a report, otherwise `nil`; each report counts for one occurrence of the
    /// image.
    mutating func take(_ picture: PictureName) -> RunStatus.Tally? {
        let hash = NameHash(picture)
        guard let tally = tallies[hash], tally.reports > 0 else { return nil }
        tallies[hash] = tally.reports == 1 ? nil : Tally(reports: tally.reports - 1, result: tally.result)
        return tally.result
    }

    private mutating func add(_ report: DecodeReport) {
        if let code = report.error?.code, Self.retried.contains(code) {
            hasOpenLines = true
            return
        }
        var tally = tallies[NameHash(report.name)] ?? Tally()
        if report.error != nil || report.warnings.contains(where: { $0.code == .notWritten }) {
            tally.result.isUnreadable = true
        }
        if !report.symbols.isEmpty { tally.result.hasSymbol = true }
        if report.pages ?? 1 > 1 {
            let queue = PageQueue(
                after: report, selection: settings.pages,
                most: report.name.readablePages(atMost: settings.maximumPages))
            tally.pages += 1
            // One more line says that there are too many pages.
            tally.wantedPages = queue.count + (queue.excess > 0 ? 1 : 0)
        } else {
            tally.reports += 1
        }
        tallies[NameHash(report.name)] = tally
    }

    /// Marks the documents with all pages as complete, and the others as incomplete.
    private mutating func closeDocuments() {
        for (hash, tally) in tallies where tally.pages > 0 {
            let times = tally.wantedPages > 0 ? tally.pages / tally.wantedPages : 0
            if times * tally.wantedPages != tally.pages { hasOpenLines = true }
            // Lines cannot be assigned to one of several occurrences, so all of them are read again.
            tallies[hash]?.reports = times * tally.wantedPages == tally.pages ? tally.reports + times : 0
        }
    }

    /// Writes the valid lines to a new file, which replaces the old one.
    ///
    /// If the name is a symbolic link, its target is replaced.
    private func rewrite(_ file: Int32, _ link: PictureName) throws(DecodeError) -> Int32 {
        guard let path = link.bytes.withPath({ realpath($0, nil) }) else {
            throw Self.failure("cannot be rewritten", about: link)
        }
        defer { free(path) }
        let name = PictureName(
            bytes: Array(UnsafeBufferPointer(start: path, count: strlen(path))).map(UInt8.init(bitPattern:)))
        let new = PictureName(bytes: name.bytes + Array(".new".utf8))
        let target: Int32
        do throws(OutputFile.Fault) {
            target = try OutputFile.open(new.bytes)
        } catch {
            throw DecodeError(.unreadable, "cannot be opened: \(error)").about(new.display)
        }
        do throws(DecodeError) {
            try Self.lines(of: file, about: name) { (line, _, _) throws(DecodeError) in
                guard let report = try? JSONLine.decode(DecodeReport.self, from: line), counts(report) else { return }
                let number = (line + [0x0A]).withUnsafeBytes { $0.write(to: target) }
                if number != 0 { throw Self.failure("cannot be written", about: new, number) }
            }
            // The name must not stand for a file whose content a power cut may still take.
            guard fsync(target) == 0,
                new.bytes.withPath({ new in name.bytes.withPath { rename(new, $0) == 0 } })
            else { throw Self.failure("cannot be rewritten", about: name) }
        } catch {
            Glibc.close(target)
            _ = new.bytes.withPath { unlink($0) }
            throw error
        }
        var status = stat()
        if fstat(file, &status) == 0 { fchmod(target, status.st_mode & 0o7777) }
        Glibc.close(file)
        return target
    }

    private func counts(_ report: DecodeReport) -> Bool {
        if let code = report.error?.code, Self.retried.contains(code) { return false }
        return (tallies[NameHash(report.name)]?.reports ?? 0) > 0
    }

    private static func open(
        _ path: [UInt8], _ flags: Int32, about name: PictureName
    ) throws(DecodeError) -> Int32 {
        let file = path.withPath { Glibc.open($0, flags | O_CLOEXEC, 0o644) }
        guard file >= 0 else { throw failure("cannot be opened", about: name) }
        return file
    }

    /// Passes each whole line of a file to a closure, with its number and its end.
    private static func lines(
        of file: Int32, about name: PictureName, _ body: ([UInt8], Int, Int) throws(DecodeError) -> Void
    ) throws(DecodeError) {
        var lines = LineBuffer()
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var (number, end, position) = (0, 0, 0)
        while true {
            let count = pread(file, &chunk, chunk.count, position)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read", about: name) }
            if count == 0 { return }
            position += count
            lines.append(chunk[..<count])
            while let line = lines.next() {
                number += 1
                end += line.count + 1
                try body(line, number, end)
            }
            guard lines.pending <= maximumLineBytes else {
                throw DecodeError(
                    .unreadable, "line \(number + 1) is too long for an answer of --json; the file was not changed"
                ).about(name.display)
            }
        }
    }

    private static func failure(_ what: String, about name: PictureName, _ number: Int32 = errno) -> DecodeError {
        DecodeError(.unreadable, "\(what): \(String(cString: strerror(number)))").about(name.display)
    }
}
