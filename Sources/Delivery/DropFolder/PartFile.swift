internal import BarcodeCore
internal import CLinux
internal import Glibc
internal import SystemPackage

/// Temporary files, which are renamed once they are complete.
///
/// After a crash they can be deleted, because the original file is still in place.
enum PartFile {
    private static let prefix = Array(".quietzone-".utf8)
    private static let suffixes = [".json.part", ".part"].map { Array($0.utf8) }
    /// The age in seconds from which an unchanged file is stale, if the kernel does not say if it is being written.
    private static let age: time_t = 3600
    /// The maximum depth of folders to search.
    private static let maximumDepth = 64

    /// The name for the copy of a file, by its inode number.
    static func copy(_ inode: UInt64) -> [UInt8] { prefix + Array("\(inode).part".utf8) }

    /// The name for a part of a document, by the document's inode number and the index of the part.
    static func part(_ inode: UInt64, _ place: Int) -> [UInt8] { prefix + Array("\(inode)-\(place).part".utf8) }

    /// The name for the note beside a file, by the number of its row.
    static func note(_ number: Int64) -> [UInt8] { prefix + Array("\(number).json.part".utf8) }

    /// Indicates whether a name is one of these.
    static func isName(_ name: [UInt8]) -> Bool {
        guard name.starts(with: prefix), let suffix = suffixes.first(where: { name.suffix($0.count) == $0[...] }) else {
            return false
        }
        let numbers = name.dropFirst(prefix.count).dropLast(suffix.count).split(
            separator: 0x2D, omittingEmptySubsequences: false)
        return numbers.count <= 2
            && numbers.allSatisfy {
                !$0.isEmpty && $0.count <= 20 && $0.allSatisfy { (0x30...0x39).contains($0) }
            }
    }

    /// Removes temporary files that crashes have left in the output folders.
    ///
    /// Keeps files that are being written, because another watcher may use the same folders.
    ///
    /// - Returns: the number of removed files.
    static func removeStale(in destination: FolderHandle) -> Int {
        FileOutcome.allCases.reduce(0) { sum, outcome in
            guard let place = try? destination.folder(RelativePath(outcome.rawValue)) else { return sum }
            return sum + removeStale(in: place, depth: 0)
        }
    }

    private static func removeStale(in folder: FolderHandle, depth: Int) -> Int {
        guard depth < maximumDepth, let entries = try? folder.entries() else { return 0 }
        var count = 0
        for entry in entries {
            if entry.isFolder {
                guard let inner = try? folder.folder(RelativePath(entry.name)) else { continue }
                count += removeStale(in: inner, depth: depth + 1)
            } else if isName(entry.name), isStale(entry.name, in: folder) {
                if entry.name.withPath({ unlinkat(folder.descriptor, $0, 0) }) == 0 { count += 1 }
            }
        }
        return count
    }

    private static func isStale(_ name: [UInt8], in folder: FolderHandle) -> Bool {
        guard let status = try? folder.status(of: name), status.mode & S_IFMT == S_IFREG,
            let file = try? WatchedFile(folder, RelativePath(name))
        else { return false }
        return file.isBeingWritten.map { !$0 } ?? (time(nil) - Int(status.changed / 1_000_000_000) > age)
    }
}

extension FolderHandle {
    /// The names in this folder, without `.` and `..`, and whether each is a folder.
    func entries() throws(Errno) -> [(name: [UInt8], isFolder: Bool)] {
        // The stream closes its descriptor and moves its offset.
        let copy = try Self.check(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard let stream = fdopendir(copy) else {
            let error = Errno(rawValue: errno)
            Glibc.close(copy)
            throw error
        }
        defer { closedir(stream) }
        var entries: [(name: [UInt8], isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = FolderScan.name(of: entry)
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            // Some file systems do not report the type.
            let type = Int32(entry.pointee.d_type)
            let isFolder =
                type == DT_UNKNOWN
                ? (try? status(of: name)).map { $0.mode & S_IFMT == S_IFDIR } ?? false : type == DT_DIR
            entries.append((name, isFolder))
        }
        return entries
    }
}
