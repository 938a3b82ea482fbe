internal import BarcodeCore
internal import Glibc
internal import SystemPackage

extension FileArchiver {
    /// Moves the parts of a document to their locations: all of them, or none if the document cannot be split.
    ///
    /// They are first written beside their locations, then recorded with their hashes, and then renamed. After a
    /// crash the renamed ones are recognized, and the others are written again.
    ///
    /// - Returns: the reason why the document cannot be split; `nil` if all parts are at their locations.
    /// - Throws: ``ArchiveError`` with the recorded parts; the caller must then retry.
    func placeParts(of record: FileRecord, from root: FolderHandle) async throws -> String? {
        var parts = record.parts
        let doing = "splitting \(RelativePath(record.path).display)"
        var staged: [StagedPart] = []
        var refusal: String?
        var fault: (any Error)?
        do {
            refusal = try await placeParts(&parts, &staged, of: record, from: root, doing)
        } catch {
            fault = error
        }
        await Blocking.value { [staged, destination] in
            for part in staged {
                guard let folder = try? FolderHandle(path: destination).folder(part.folder) else { continue }
                _ = part.name.withPath { unlinkat(folder.descriptor, $0, 0) }
            }
        }
        if var error = fault as? ArchiveError {
            error.parts = parts
            throw error
        }
        if let fault { throw fault }
        return refusal
    }

    /// A part that is written but not renamed yet.
    private struct StagedPart: Sendable {
        /// Its index among the parts.
        var place: Int
        var folder: RelativePath
        var name: [UInt8]
    }

    private func placeParts(
        _ parts: inout [DocumentPart], _ staged: inout [StagedPart], of record: FileRecord, from root: FolderHandle,
        _ doing: String
    ) async throws -> String? {
        var missing: [Int] = []
        for place in parts.indices where try await !isPlaced(parts[place], doing) { missing.append(place) }
        if missing.isEmpty { return nil }
        let document = try await blocking(doing) { () throws(Errno) in
            try WatchedFile(root, RelativePath(record.path))
        }
        guard let kind = DocumentSplitter.Kind(head: document.head) else { return "\(doing): it is not a PDF or TIFF" }
        var taken: Set<RelativePath> = []
        do {
            for place in missing {
                let (folder, handle, name) = try await open(parts[place], of: record, doing)
                let part = StagedPart(
                    place: place, folder: folder, name: PartFile.part(record.identity.inode, place))
                staged.append(part)
                parts[place].hash = try await splitter.write(
                    parts[place].pages, of: document, kind, to: part.name, in: handle, doing: doing, until: stop)
                parts[place].target = try await freePlace(name, folder, handle, &taken, doing).bytes
            }
        } catch let refusal as DocumentSplitter.Refusal {
            if missing.count == parts.count { return refusal.description }
            // Some parts are at their locations already, so the others have to follow.
            throw ArchiveError(errno: .ioError, doing: doing, advice: refusal.description)
        }
        let now = try await blocking(doing) { () throws(Errno) in try document.identityNow() }
        // The output may mix old and new content; the next scan finds a changed file.
        guard now.isSame(as: record.identity) else {
            throw ArchiveError(errno: .resourceTemporarilyUnavailable, doing: doing)
        }
        try await noteParts(record, parts)
        for part in staged {
            let handle = try await blocking(doing) { () throws(Errno) in
                try FolderHandle(path: destination).folder(part.folder)
            }
            while true {
                let target = RelativePath(parts[part.place].target ?? [])
                if try await name(part.name, target.name, in: handle, doing) { break }
                // The name has been taken in the meantime.
                parts[part.place].target = try await freePlace(target.name, part.folder, handle, &taken, doing).bytes
                try await noteParts(record, parts)
            }
            try await blocking(doing) { () throws(Errno) in try handle.sync() }
        }
        return nil
    }

    /// Indicates whether a part is at its recorded location with its recorded content.
    private func isPlaced(_ part: DocumentPart, _ doing: String) async throws -> Bool {
        guard let target = part.target.map({ RelativePath($0) }), let hash = part.hash else { return false }
        return try await blocking(doing, in: .reading) { [stop] () throws(Errno) in
            do throws(Errno) {
                let folder = try FolderHandle(path: destination).folder(target.folder)
                return try WatchedFile(folder, RelativePath(target.name)).hash(until: stop) == hash
            } catch
                where [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .invalidArgument]
                .contains(error)
            {
                return false
            }
        }
    }

    /// Opens the folder of a part; also returns the desired name.
    private func open(
        _ part: DocumentPart, of record: FileRecord, _ doing: String
    ) async throws -> (RelativePath, FolderHandle, [UInt8]) {
        let path = RelativePath(record.path)
        let (stem, tail) = Placement.parts(of: path.name)
        let pages =
            part.pages.count == 1
            ? " page \(part.pages.lowerBound)" : " pages \(part.pages.lowerBound)-\(part.pages.upperBound)"
        let ownName = [UInt8](stem) + [UInt8](pages.utf8) + [UInt8](tail)
        let day = Placement.day(of: record.time)
        func open(_ filed: [UInt8]?) async throws -> (RelativePath, FolderHandle) {
            let folder = Placement.folder(record.outcome, day: day, of: path, filed: filed)
            return (folder, try await openTarget(folder, doing: doing))
        }
        do {
            let (folder, handle) = try await open(part.filing?.folder)
            return (folder, handle, part.filing?.name ?? Array(ownName))
        } catch let error as ArchiveError where part.filing != nil && error.isOfTheName {
            let (folder, handle) = try await open(nil)
            return (folder, handle, Array(ownName))
        }
    }

    /// A path that is free and not intended for another part.
    private func freePlace(
        _ name: [UInt8], _ folder: RelativePath, _ handle: FolderHandle, _ taken: inout Set<RelativePath>,
        _ doing: String
    ) async throws -> RelativePath {
        let maximumLength = handle.maximumNameLength
        for number in 1..<Self.maximumNames {
            let place = folder.appending(
                Placement.name(name, number: number, room: 0, maximumLength: maximumLength))
            if taken.contains(place) { continue }
            let isTaken = try await blocking(doing) { () throws(Errno) in try Self.isTaken(handle, place.name) }
            if !isTaken {
                taken.insert(place)
                return place
            }
        }
        throw ArchiveError(errno: .fileExists, doing: doing)
    }

    /// Renames a file; `false` if the name is taken.
    private func name(
        _ temporary: [UInt8], _ name: [UInt8], in folder: FolderHandle, _ doing: String
    ) async throws -> Bool {
        try await blocking(doing) { () throws(Errno) in
            do throws(Errno) {
                try MoveStrategy.rename.move(temporary, in: folder, to: name, in: folder)
            } catch  where MoveStrategy.rename.next(after: error) != nil {
                try MoveStrategy.link.move(temporary, in: folder, to: name, in: folder)
            } catch  where error == .fileExists {
                return false
            }
            return true
        }
    }
}
