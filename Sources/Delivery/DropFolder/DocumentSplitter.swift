internal import BarcodeCore
internal import Glibc
internal import SystemPackage

/// Writes pages of a document to a separate file, by external programs for the format.
struct DocumentSplitter: Sendable {
    /// A kind of document that can be split.
    enum Kind: Sendable, CaseIterable {
        case pdf, tiff

        /// The kind of a file by its first bytes; `nil` if it cannot be split.
        init?(head: [UInt8]) {
            // Readers look for the header in the first 1024 bytes (PDF Reference 1.7, implementation note 13).
            if head.prefix(4) == [0x49, 0x49, 0x2A, 0] || head.prefix(4) == [0x4D, 0x4D, 0, 0x2A] {
                self = .tiff
            } else if head.prefix(1024).firstRange(of: Array("%PDF-".utf8)) != nil {
                self = .pdf
            } else {
                return nil
            }
        }

        /// The program, and its package in Debian and Ubuntu.
        var tool: (program: String, package: String) {
            switch self {
            case .pdf: ("qpdf", "qpdf")
            case .tiff: ("tiffcp", "libtiff-tools")
            }
        }

        /// The command that writes pages of the document to standard output.
        ///
        /// qpdf copies streams unchanged, which takes little memory. tiffcp opens its output by a path, because it does
        /// not write it in order.
        func command(_ pages: ClosedRange<Int>) -> [String] {
            let file = SplittingProgram.document
            return switch self {
            case .pdf:
                [
                    tool.program, "--no-warn", "--warning-exit-0", "--deterministic-id", "--stream-data=preserve",
                    "--empty", "--pages", file, "\(pages.lowerBound)-\(pages.upperBound)", "--", "-",
                ]
            case .tiff:
                [tool.program, ([file] + pages.map { "\($0 - 1)" }).joined(separator: ","), SplittingProgram.output]
            }
        }
    }

    /// The reason why a document can never be split, as a clause.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// The free space that a file system must have beyond the size of the document; with less before or after the
    /// program ran, a failure is blamed on lack of space.
    private static let spareRoom = 1 << 20
    /// The timeout for a part.
    var timeout: Duration

    /// Writes pages of a document to a new file, which is on the disk when this returns.
    ///
    /// - Returns: the SHA-256 of the file.
    /// - Throws: ``Refusal`` if the document is the cause, and ``ArchiveError`` for a failure that may be
    ///   temporary.
    func write(
        _ pages: ClosedRange<Int>, of document: WatchedFile, _ kind: Kind, to name: [UInt8], in folder: FolderHandle,
        doing: String, until stop: StopFlag
    ) async throws -> [UInt8] {
        guard ProgramSearch.finds(kind.tool.program) else {
            throw ArchiveError(
                errno: .noSuchFileOrDirectory, doing: doing,
                advice: "\(kind.tool.program) is not installed; install the package \(kind.tool.package)")
        }
        let hadRoom = Self.hasRoom(in: folder, for: document)
        let program = SplittingProgram(
            arguments: kind.command(pages), timeout: timeout,
            // A sparse file may claim any size.
            maximumOutput: 2 * Int(clamping: min(document.identity.size, 1 << 40)))
        do {
            return try await Blocking.run(in: .copying) {
                _ = name.withPath { unlinkat(folder.descriptor, $0, 0) }
                let output = try FolderHandle.check(
                    name.withPath { openat(folder.descriptor, $0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) })
                defer { close(output) }
                if let fault = try program.run(document: document.descriptor, output: output, until: stop) {
                    _ = name.withPath { unlinkat(folder.descriptor, $0, 0) }
                    throw fault
                }
                let file = try WatchedFile(folder, RelativePath(name))
                guard file.identity.size > 0 else { throw Refusal(description: "\(doing): nothing was written") }
                // The program may not have noticed that the disk is full, but fsync does.
                guard fsync(output) == 0 else { throw Errno(rawValue: errno) }
                return try file.hash(until: StopFlag())
            }
        } catch let error as Errno {
            throw ArchiveError(errno: error, doing: doing)
        } catch Hook.Fault.shortage(let shortage) {
            throw ArchiveError(errno: .resourceTemporarilyUnavailable, doing: doing, advice: "\(shortage)")
        } catch Hook.Fault.notRun(let reason) {
            throw ArchiveError(errno: .noSuchFileOrDirectory, doing: doing, advice: reason)
        } catch Hook.Fault.failure(let reason) {
            // Space that is freed while the program fails does not make the document the cause.
            guard hadRoom, Self.hasRoom(in: folder, for: document) else {
                throw ArchiveError(errno: .noSpace, doing: doing)
            }
            throw Refusal(description: "\(doing): \(reason)")
        }
    }

    /// Indicates whether a file system has space for a copy of a document.
    private static func hasRoom(in folder: FolderHandle, for document: WatchedFile) -> Bool {
        var room = statvfs()
        return fstatvfs(folder.descriptor, &room) == 0
            && Int(clamping: room.f_bavail) >= (Int(clamping: document.identity.size) + spareRoom)
                / max(1, Int(clamping: room.f_frsize))
    }
}
