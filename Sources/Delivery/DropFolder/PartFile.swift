internal import CLinux
internal import Glibc
internal import SystemPackage

/// Files that are written under a name of their own and renamed once they are whole.
///
/// What a crash leaves behind of them is nobody's; the file that was to be moved is still where it was.
enum PartFile {
    private static let prefix = Array(".quietzone-".utf8)
    private static let suffixes = [".json.part", ".part"].map { Array($0.utf8) }
    /// Where the kernel does not say whether somebody writes to a file, one that has not changed so long is left over.
    private static let age: time_t = 3600
    /// Folders below folders beyond this are not looked into.
    private static let maximumDepth = 64

    /// The name for the copy of a file by its number in its file system.
    static func copy(_ inode: UInt64) -> [UInt8] { prefix + Array("\(inode).part".utf8) }

    /// The name for a part of a document, by the number of that in its file system and by its own.
    static func part(_ inode: UInt64, _ place: Int) -> [UInt8] { prefix + Array("\(inode)-\(place).part".utf8) }

    /// The name for what is to stand beside a file, by the number of its row.
    static func note(_ number: Int64) -> [UInt8] { prefix + Array("\(number).json.part".utf8) }

    /// Whether a name is one of these.
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

    /// Removes what crashes have left behind in the places that files go to.
    ///
    /// What somebody is writing stays: another watcher may have the same places.
    /// - Returns: how many files were removed.
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
            let file = try? PictureFile(folder, RelativePath(name))
        else { return false }
        return file.isBeingWritten.map { !$0 } ?? (time(nil) - Int(status.changed / 1_000_000_000) > age)
    }
}

extension FolderHandle {
    /// The names in this folder but for `.` and `..`, and whether each is a folder.
    func entries() throws(Errno) -> [(name: [UInt8], isFolder: Bool)] {
        // The stream closes the descriptor that it is given, and moves in it.
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
            // A file system that does not tell the type says so.
            let type = Int32(entry.pointee.d_type)
            let isFolder =
                type == DT_UNKNOWN
                ? (try? status(of: name)).map { $0.mode & S_IFMT == S_IFDIR } ?? false : type == DT_DIR
            entries.append((name, isFolder))
        }
        return entries
    }
}
