internal import CLinux
internal import Glibc
internal import SystemPackage

/// The result of a recursive scan of a folder.
struct FolderScan: Sendable {
    /// A file that may be an image.
    struct Found: Sendable {
        var path: RelativePath
        var identity: FileIdentity
    }

    /// The files, in the order of their modification.
    var files: [Found] = []
    /// Entries that are neither files nor folders: links, pipes, sockets, devices.
    var nonRegularFiles: [RelativePath] = []
    /// The folders that another watcher has.
    var taken: [RelativePath] = []
    /// The folders that could not be read, and the errors.
    var failures: [(path: RelativePath, error: Errno)] = []

    /// The maximum depth of folders, because each holds a descriptor open while it is read.
    static let maximumDepth = 64

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - root: the watched folder.
    ///   - start: the folder below it to begin with.
    ///   - prepare: called with each folder before it is read, so that later changes are noticed.
    static func run(
        _ root: FolderHandle, from start: RelativePath = .root, selection: FileSelection,
        prepare: (FolderHandle, RelativePath) -> Void = { _, _ in }
    ) -> FolderScan {
        var scan = FolderScan()
        do throws(Errno) {
            let folder = try root.folder(start)
            if start != .root && FolderLock.isTaken(folder) {
                scan.taken.append(start)
            } else {
                scan.read(folder, start, selection, depth: 0, prepare)
            }
        } catch {
            scan.failures.append((start, error))
        }
        // The modification time is the best evidence of their order of arrival.
        scan.files.sort {
            $0.identity.modified == $1.identity.modified
                ? $0.path.bytes.lexicographicallyPrecedes($1.path.bytes)
                : $0.identity.modified < $1.identity.modified
        }
        return scan
    }

    private mutating func read(
        _ folder: FolderHandle, _ path: RelativePath, _ selection: FileSelection, depth: Int,
        _ prepare: (FolderHandle, RelativePath) -> Void
    ) {
        prepare(folder, path)
        // The stream closes its descriptor and moves its offset.
        let copy = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            failures.append((path, Errno(rawValue: errno)))
            if copy >= 0 { Glibc.close(copy) }
            return
        }
        defer { closedir(stream) }
        var folders: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { failures.append((path, Errno(rawValue: errno))) }
                break
            }
            let name = Self.name(of: entry)
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let child = path.appending(name)
            // Some file systems do not report the type.
            if Int32(entry.pointee.d_type) == DT_DIR {
                if selection.enters(child) { folders.append(name) }
                continue
            }
            guard selection.takes(child) else { continue }
            let status: qz_file_status
            do throws(Errno) {
                status = try folder.status(of: name)
            } catch {
                if error != .noSuchFileOrDirectory { failures.append((path, error)) }
                continue
            }
            switch status.mode & S_IFMT {
            case S_IFREG: files.append(Found(path: child, identity: FileIdentity(status)))
            case S_IFDIR: if selection.enters(child) { folders.append(name) }
            default: nonRegularFiles.append(child)
            }
        }
        for name in folders {
            let child = path.appending(name)
            do throws(Errno) {
                guard depth < Self.maximumDepth else { throw Errno.tooManySymbolicLinkLevels }
                let inner = try folder.folder(RelativePath(name))
                if FolderLock.isTaken(inner) {
                    taken.append(child)
                } else {
                    read(inner, child, selection, depth: depth + 1, prepare)
                }
            } catch  where error == .noSuchFileOrDirectory {
                // It has disappeared again.
            } catch {
                failures.append((child, error))
            }
        }
    }

    static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
                Array(
                    UnsafeBufferPointer(
                        start: $0, count: strlen(UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))))
            }
        }
    }
}
