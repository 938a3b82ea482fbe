import BarcodeCore
import DecodeReports
import DecodeWorkers
import Glibc
import ProgramSupport

/// The answers that an earlier run wrote to a file, by which a later one goes on where it was interrupted.
struct EarlierAnswers {
    /// A name as two numbers: a million names are too many to keep.
    ///
    /// That two of a million names have the same is one chance in 10^26.
    private struct Mark: Hashable {
        var one: Int
        var other: Int

        init(_ name: PictureName) {
            (one, other) = (name.bytes.hashValue, (name.bytes + [0]).hashValue)
        }
    }

    /// What the file says of one picture or document.
    private struct Tally {
        /// How often it is answered: a list may name a picture twice.
        var answers = 0
        /// Of a document, the reports that are there, and those that there will be.
        var pages = 0
        var wantedPages = 0
        /// The sum of the answers.
        var result = RunStatus.Tally()
    }

    private var tallies: [Mark: Tally] = [:]
    /// Whether there are lines that the pictures they are about are read in spite of.
    private var hasOpenLines = false
    private let settings: RunSettings

    /// What was not looked at for reasons of the machine is looked at again.
    private static let retried: Set<DecodeError.Code> = [.noWorker, .resourceShortage, .cancelled]

    /// Reads a file, and makes it this process's standard output: what is written comes behind its last whole line.
    ///
    /// A file that is not there is made. A line that was half written is cut off; so are the pages of a document of
    /// which others are missing, and pictures that no worker could be started for: their file is written anew.
    /// - Throws: ``DecodeError`` where the file cannot be read or written, or holds anything but answers.
    init(adoptingFile path: String, settings: RunSettings) throws(DecodeError) {
        self.settings = settings
        let name = RawArguments.name(path)
        var file = try Self.open(name.bytes, O_RDWR | O_CREAT, about: name)
        var isWhole = 0
        try Self.lines(of: file, about: name) { (line, number, end) throws(DecodeError) in
            guard let report = try? JSONLine.decode(DecodeReport.self, from: line) else {
                throw DecodeError(.unreadable, "line \(number) is no answer of --json; nothing was changed").about(
                    name.display)
            }
            add(report)
            isWhole = end
        }
        guard ftruncate(file, isWhole) == 0 else { throw Self.failure("cannot be cut", about: name) }
        closeDocuments()
        if hasOpenLines { file = try rewrite(file, name) }
        guard lseek(file, 0, SEEK_END) >= 0, fcntl(file, F_SETFL, O_APPEND) == 0, dup2(file, STDOUT_FILENO) >= 0 else {
            throw Self.failure("cannot be added to", about: name)
        }
        Glibc.close(file)
    }

    /// The result of a picture that is answered, otherwise nil; each answer is good for one time that the picture is named.
    mutating func take(_ picture: PictureName) -> RunStatus.Tally? {
        let mark = Mark(picture)
        guard let tally = tallies[mark], tally.answers > 0 else { return nil }
        tallies[mark] = tally.answers == 1 ? nil : Tally(answers: tally.answers - 1, result: tally.result)
        return tally.result
    }

    private mutating func add(_ report: DecodeReport) {
        if let code = report.error?.code, Self.retried.contains(code) {
            hasOpenLines = true
            return
        }
        var tally = tallies[Mark(report.name)] ?? Tally()
        if report.error != nil || report.warnings.contains(where: { $0.code == .notWritten }) {
            tally.result.isUnreadable = true
        }
        if !report.symbols.isEmpty { tally.result.hasSymbol = true }
        if report.pages ?? 1 > 1 {
            let queue = PageQueue(after: report, selection: settings.pages, most: settings.maximumPages)
            tally.pages += 1
            // One more line says that pages were too many.
            tally.wantedPages = queue.count + (queue.excess > 0 ? 1 : 0)
        } else {
            tally.answers += 1
        }
        tallies[Mark(report.name)] = tally
    }

    /// Counts the documents of which all pages are there as answered, and the others as not.
    private mutating func closeDocuments() {
        for (mark, tally) in tallies where tally.pages > 0 {
            let times = tally.wantedPages > 0 ? tally.pages / tally.wantedPages : 0
            if times * tally.wantedPages != tally.pages { hasOpenLines = true }
            // Which lines belong to which of several times is not told: all of them are read again.
            tallies[mark]?.answers = times * tally.wantedPages == tally.pages ? tally.answers + times : 0
        }
    }

    /// Writes the lines that count to a new file, which takes the place of the old: of the file itself, where the name is
    /// that of a symbolic link.
    private func rewrite(_ file: Int32, _ link: PictureName) throws(DecodeError) -> Int32 {
        guard let path = link.bytes.withCString({ realpath($0, nil) }) else {
            throw Self.failure("cannot be written anew", about: link)
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
        try Self.lines(of: file, about: name) { (line, _, _) throws(DecodeError) in
            guard let report = try? JSONLine.decode(DecodeReport.self, from: line), counts(report) else { return }
            var rest = (line + [0x0A])[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { throw Self.failure("cannot be written", about: new) }
                rest = rest.dropFirst(count)
            }
        }
        let isMoved = new.bytes.withCString { new in name.bytes.withCString { rename(new, $0) == 0 } }
        guard fsync(target) == 0, isMoved else { throw Self.failure("cannot be written anew", about: name) }
        var status = stat()
        if fstat(file, &status) == 0 { fchmod(target, status.st_mode & 0o7777) }
        Glibc.close(file)
        return target
    }

    private func counts(_ report: DecodeReport) -> Bool {
        if let code = report.error?.code, Self.retried.contains(code) { return false }
        return (tallies[Mark(report.name)]?.answers ?? 0) > 0
    }

    private static func open(
        _ path: [UInt8], _ flags: Int32, about name: PictureName
    ) throws(DecodeError) -> Int32 {
        let file = path.withCString { Glibc.open($0, flags | O_CLOEXEC, 0o644) }
        guard file >= 0 else { throw failure("cannot be opened", about: name) }
        return file
    }

    /// Hands out the whole lines of a file, the number of each and where it ends.
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
        }
    }

    private static func failure(_ what: String, about name: PictureName) -> DecodeError {
        DecodeError(.unreadable, "\(what): \(ErrorNumber.text)").about(name.display)
    }
}
