internal import BarcodeCore
internal import Glibc
internal import SystemPackage

/// The reason why a file could not be moved for now.
struct ArchiveError: Error, CustomStringConvertible {
    /// The system error.
    var errno: Errno
    /// The failed operation, for people.
    var doing: String
    /// The remedy, as a clause; `nil` if the error itself makes it clear.
    var advice: String?
    /// The target path that was recorded for the file; `nil` if there is none.
    var target: [UInt8]?
    /// The recorded parts of the file; `nil` if there are none.
    var parts: [DocumentPart]?

    /// Indicates whether the name is the problem: a file where a folder is needed, or a name that is too long or
    /// has characters that the file system does not allow.
    var isOfTheName: Bool {
        advice == nil && [.notDirectory, .fileNameTooLong, .invalidArgument, .illegalByteSequence].contains(errno)
    }

    var description: String { "\(doing): \(advice ?? "\(errno)")" }
}

/// Moves processed files out of the watched folder.
///
/// Never overwrites a file.
struct FileArchiver: Sendable {
    /// The result of archiving a file.
    struct Archived: Sendable, Hashable {
        /// Its path relative to the destination; `nil` if it was deleted, is gone, or stays where it was.
        var place: RelativePath?
        /// Indicates whether it was moved or deleted just now; `false` if that happened before or is not wanted.
        var isNew: Bool
        /// The reason why it is not where a rule wants it; `nil` if it is.
        var refusal: String?
    }

    /// The path of the folder that contains `done/`, `failed/` and `no-code/`.
    var destination: [UInt8]
    /// Records the target path before a file is moved there.
    var noteTarget: @Sendable (RelativePath, FileRecord) async throws -> Void
    /// Records the target paths of a file's parts before they are written.
    var noteParts: @Sendable (FileRecord, [DocumentPart]) async throws -> Void = { _, _ in }
    /// Splits documents.
    var splitter = DocumentSplitter(timeout: .seconds(60))
    /// Stops copies of large files.
    var stop = StopFlag()

    /// The maximum number of names to try for one file.
    static let maximumNames = 100_000
    static let noteEnding = Array(".json".utf8)

    /// Moves a file to its location, or deletes it.
    ///
    /// - Parameters:
    ///   - root: the watched folder.
    ///   - after: the treatment of the file.
    /// - Throws: ``ArchiveError``, or an error of `noteTarget`; then the file is where it was.
    func archive(_ record: FileRecord, from root: FolderHandle, after: AfterPolicy) async throws -> Archived {
        if after == .leave { return Archived(place: nil, isNew: false) }
        guard try await isThere(record, root) else {
            try await finishNote(of: record)
            return Archived(place: record.target.map { RelativePath($0) }, isNew: false)
        }
        do {
            return try await takeAway(record, from: root, after: after)
        } catch let error as ArchiveError where error.errno == .noSuchFileOrDirectory {
            // Somebody may have taken it away, or replaced it by a file that is still to be read.
            if try await isThere(record, root) { throw error }
            return Archived(place: nil, isNew: false)
        }
    }

    /// Moves or deletes a file that is there.
    private func takeAway(_ record: FileRecord, from root: FolderHandle, after: AfterPolicy) async throws -> Archived {
        let path = RelativePath(record.path)
        // Delete only files with codes: any other may be the only copy of a code.
        if after == .delete && record.outcome == .done {
            try await blocking("deleting \(path.display)") { () throws(Errno) in
                try root.folder(path.folder).remove(path.name, of: record.identity)
            }
            return Archived(place: nil, isNew: true)
        }
        let refusal = record.parts.isEmpty ? nil : try await placeParts(of: record, from: root)
        do {
            var archived = try await put(record, as: record.filing, from: root)
            archived.refusal = refusal
            return archived
        } catch let error as ArchiveError where record.filing != nil && error.isOfTheName {
            var archived = try await put(record, as: nil, from: root)
            archived.refusal = "\(error)"
            return archived
        }
    }

    /// Moves a file to the location chosen by a rule, or to its default location.
    private func put(_ record: FileRecord, as filing: Filing?, from root: FolderHandle) async throws -> Archived {
        let path = RelativePath(record.path)
        let folder = Placement.folder(
            record.outcome, day: Placement.day(of: record.time), of: path, filed: filing?.folder)
        // What a rule makes of a code is in no message: it may be personal.
        let doing =
            "moving \(path.display) to "
            + (filing?.folder == nil ? folder.display : "its folder in \(record.outcome.rawValue) by a filing rule")
        let (target, source) = try await open(folder, path.folder, root, doing: doing)
        if let known = record.target.map({ RelativePath($0) }),
            let place = try await copy(of: record, at: known, doing: doing)
        {
            // The target was recorded before a crash, and the file has been copied there.
            try await writeNote(of: record, beside: known.name, in: place, doing: doing, mayBeThere: true)
            try await blocking(doing) { () throws(Errno) in
                do throws(Errno) {
                    try source.remove(path.name, of: record.identity)
                } catch  where error == .noSuchFileOrDirectory {
                    // Its name is free, or another file's.
                }
            }
            return Archived(place: known, isNew: true)
        }
        let place = try await place(
            record, name: filing?.name ?? path.name, in: folder, target: target, source: source, doing: doing)
        return Archived(place: place, isNew: true)
    }

    /// The folder of a target that has the content of a file; `nil` if it does not.
    private func copy(of record: FileRecord, at place: RelativePath, doing: String) async throws -> FolderHandle? {
        let folder = try? await blocking(doing) { () throws(Errno) in
            try FolderHandle(path: destination).folder(place.folder)
        }
        guard let folder else { return nil }
        return try await blocking(doing, in: .reading) { [stop] () throws(Errno) in
            try Self.isCopy(folder, place.name, of: record, until: stop)
        } ? folder : nil
    }

    /// Opens the target folder of a file, creating it if necessary, and the folder that contains the file.
    private func open(
        _ folder: RelativePath, _ origin: RelativePath, _ root: FolderHandle, doing: String
    ) async throws -> (target: FolderHandle, source: FolderHandle) {
        let target = try await openTarget(folder, doing: doing)
        return (target, try await blocking(doing) { () throws(Errno) in try root.folder(origin) })
    }

    /// Opens a target folder, creating it if necessary.
    func openTarget(_ folder: RelativePath, doing: String) async throws -> FolderHandle {
        let (target, link): (FolderHandle?, RelativePath?) = try await blocking(doing) { () throws(Errno) in
            let place = try FolderHandle(path: destination)
            do throws(Errno) {
                return (try place.makeFolder(folder), nil)
            } catch  where error == .notDirectory || error == .tooManySymbolicLinkLevels {
                guard let link = place.link(within: folder) else { throw error }
                return (nil, link)
            }
        }
        if let target { return target }
        let place = link.map { RelativePath(destination).appending($0.bytes).display } ?? "a folder on the way"
        throw ArchiveError(
            errno: .notDirectory, doing: doing,
            advice: "\(place) is a symbolic link, which is not followed; make it a folder, or choose another place "
                + "with --to (folder.to)")
    }

    private func place(
        _ record: FileRecord, name wanted: [UInt8], in folder: RelativePath, target: FolderHandle,
        source: FolderHandle, doing: String
    ) async throws -> RelativePath {
        let path = RelativePath(record.path)
        var noted = record.target
        var strategy = MoveStrategy.rename
        var number = 1
        let room = record.note == nil ? 0 : Self.noteEnding.count
        let maximumLength = try await blocking(doing) { () throws(Errno) in target.maximumNameLength }
        do {
            while number < Self.maximumNames {
                let name = Placement.name(wanted, number: number, room: room, maximumLength: maximumLength)
                let place = folder.appending(name)
                if record.note != nil || strategy != .rename {
                    if try await blocking(doing, { () throws(Errno) in try Self.isTaken(target, name) }) {
                        number += 1
                        continue
                    }
                    if noted != place.bytes {
                        try await noteTarget(place, record)
                        noted = place.bytes
                    }
                }
                let isOurs = record.target == place.bytes
                guard try await writeNote(of: record, beside: name, in: target, doing: doing, mayBeThere: isOurs) else {
                    number += 1
                    continue
                }
                let outcome: Errno? = try await blocking(doing, in: strategy == .copy ? .copying : .short) {
                    [strategy, stop] () throws(Errno) in
                    do throws(Errno) {
                        try strategy.move(
                            path.name, in: source, to: name, in: target, of: record.identity, until: stop)
                        return nil
                    } catch { return error }
                }
                guard let error = outcome else { return place }
                if record.note != nil { await removeNote(beside: name, in: target) }
                if error == .fileExists {
                    number += 1
                } else if let next = strategy.next(after: error) {
                    strategy = next
                } else {
                    let hold = await Blocking.value { Self.hold(on: source, path.folder, error) }
                    throw ArchiveError(errno: error, doing: doing, advice: hold)
                }
            }
        } catch var error as ArchiveError {
            error.target = noted
            throw error
        }
        throw ArchiveError(errno: .fileExists, doing: doing, target: noted)
    }

    /// The reason and the remedy if a file may not be taken out of its folder; `nil` if that is not the problem.
    private static func hold(on source: FolderHandle, _ origin: RelativePath, _ error: Errno) -> String? {
        let name = origin == .root ? "the watched folder" : "the folder \(origin.display)"
        var status = stat()
        switch error {
        case .permissionDenied where faccessat(source.descriptor, ".", W_OK, AT_EACCESS) != 0:
            return "\(error); give this program's user the right to write in \(name)"
        case .notPermitted where fstat(source.descriptor, &status) == 0 && status.st_mode & S_ISVTX != 0:
            return "\(error); \(name) has the sticky bit, so that only the owner of a file may move it"
        default: return nil
        }
    }

    /// Writes the note of a file whose move was complete when the program ended.
    private func finishNote(of record: FileRecord) async throws {
        guard record.note != nil, let place = record.target.map({ RelativePath($0) }) else { return }
        let doing = "writing the note of \(RelativePath(record.path).display)"
        let target = try? await blocking(doing) { () throws(Errno) in
            let folder = try FolderHandle(path: destination).folder(place.folder)
            return try Self.isTaken(folder, place.name) ? folder : nil
        }
        guard let target else { return }
        try await writeNote(of: record, beside: place.name, in: target, doing: doing, mayBeThere: true)
    }

    func blocking<Value: Sendable>(
        _ doing: String, in pool: Blocking.Pool = .short, _ work: @escaping @Sendable () throws(Errno) -> Value
    ) async throws -> Value {
        do {
            return try await Blocking.run(in: pool) { () throws -> Value in try work() }
        } catch let error as Errno {
            throw ArchiveError(errno: error, doing: doing)
        }
    }

    /// Indicates whether a file still has its name.
    private func isThere(_ record: FileRecord, _ root: FolderHandle) async throws -> Bool {
        let path = RelativePath(record.path)
        return try await blocking("looking for \(path.display)") { () throws(Errno) in
            do throws(Errno) {
                return try root.folder(path.folder).identity(of: path.name)?.isSame(as: record.identity) ?? false
            } catch  where [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error) {
                return false
            }
        }
    }

    static func isTaken(_ folder: FolderHandle, _ name: [UInt8]) throws(Errno) -> Bool {
        do throws(Errno) {
            _ = try folder.status(of: name)
            return true
        } catch  where error == .noSuchFileOrDirectory {
            return false
        }
    }

    /// Indicates whether an entry has the content of a recorded file.
    private static func isCopy(
        _ folder: FolderHandle, _ name: [UInt8], of record: FileRecord, until stop: StopFlag
    ) throws(Errno) -> Bool {
        guard try isTaken(folder, name), !record.hash.isEmpty else { return false }
        let file = try WatchedFile(folder, RelativePath(name))
        return file.identity.size == record.identity.size ? try file.hash(until: stop) == record.hash : false
    }
}

extension FileArchiver {
    /// Writes the note beside a file; `false` if the name is taken.
    ///
    /// - Parameter mayBeThere: if true, an existing note with the same bytes is our own, written before a crash.
    @discardableResult
    private func writeNote(
        of record: FileRecord, beside name: [UInt8], in folder: FolderHandle, doing: String, mayBeThere: Bool
    ) async throws -> Bool {
        guard let note = record.note.map({ [UInt8]($0) }) else { return true }
        let full = name + Self.noteEnding
        let temporary = PartFile.note(record.number ?? 0)
        return try await blocking(doing) { () throws(Errno) in
            _ = temporary.withPath { unlinkat(folder.descriptor, $0, 0) }
            let file = try FolderHandle.check(
                temporary.withPath { openat(folder.descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) })
            defer {
                Glibc.close(file)
                _ = temporary.withPath { unlinkat(folder.descriptor, $0, 0) }
            }
            try FileCopy.write(note[...], to: file)
            _ = try FolderHandle.check(fsync(file))
            do throws(Errno) {
                try MoveStrategy.rename.move(temporary, in: folder, to: full, in: folder)
            } catch  where MoveStrategy.rename.next(after: error) != nil {
                try MoveStrategy.link.move(temporary, in: folder, to: full, in: folder)
            } catch  where error == .fileExists {
                if mayBeThere, let there = FileCopy.read(full, in: folder, most: note.count + 1), there == note {
                    return true
                }
                return false
            }
            return true
        }
    }

    private func removeNote(beside name: [UInt8], in folder: FolderHandle) async {
        let full = name + Self.noteEnding
        await Blocking.value { _ = full.withPath { unlinkat(folder.descriptor, $0, 0) } }
    }
}
