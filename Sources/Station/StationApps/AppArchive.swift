internal import CServices
internal import Glibc

/// The zip archive of a package, read with libzip.
///
/// Everything in it is checked before anything is written.
struct AppArchive: ~Copyable {
    /// A file of the archive and its target path.
    struct Entry: Sendable, Hashable {
        /// The index in the archive.
        var index: UInt64
        /// The path in the app, as components.
        var path: [String]
        /// The size in bytes, as declared by the archive.
        var size: Int
    }

    private let zip: UnsafePointer<qz_zip>
    private let archive: OpaquePointer
    /// The checked files; folders are created as needed.
    let entries: [Entry]

    /// Opens a package and checks all of its entries.
    ///
    /// - Throws: ``AppError`` if it is not an archive, or an entry is not permitted in an app.
    init(_ file: borrowing AppPackageFile, limits: AppLimits) throws(AppError) {
        guard let zip = qz_zip_load() else {
            throw AppError(.storage, "libzip is not installed: apt install libzip4, libzip4t64 or libzip5")
        }
        // libzip allocates memory for as many entries as the archive declares, so the number is checked first.
        try Self.checkCount(file.descriptor, bytes: file.count, limits: limits)
        let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw AppError.disk("the package cannot be opened", errno) }
        var code: Int32 = 0
        lseek(copy, 0, SEEK_SET)
        guard let opened = zip.pointee.zip_fdopen(copy, ZIP_CHECKCONS, &code) else {
            close(copy)
            throw Self.broken
        }
        do throws(AppError) {
            entries = try Self.judge(opened, by: zip, limits: limits)
        } catch {
            zip.pointee.zip_discard(opened)
            throw error
        }
        self.zip = zip
        archive = opened
    }

    deinit { zip.pointee.zip_discard(archive) }

    private static let broken = AppError(
        .invalid, "the package is not a zip archive, or is damaged; give a zip archive with index.html")

    /// Rejects an archive whose end record declares more entries than an app may have.
    private static func checkCount(_ descriptor: Int32, bytes: Int, limits: AppLimits) throws(AppError) {
        let length = min(bytes, 22 + 65_535)
        var tail = [UInt8](repeating: 0, count: length)
        let count = pread(descriptor, &tail, length, off_t(bytes - length))
        guard count == length, length >= 22 else { throw broken }
        for start in stride(from: length - 22, through: 0, by: -1)
        where tail[start..<start + 4].elementsEqual([0x50, 0x4B, 5, 6]) {
            // 65,535 means that the number is in the Zip64 record, which no app needs.
            let announced = Int(tail[start + 10]) | Int(tail[start + 11]) << 8
            guard announced <= limits.entries else {
                throw AppError(.tooLarge, "the package has \(announced) entries; the limit is \(limits.entries)")
            }
            return
        }
        throw broken
    }

    private static func judge(
        _ archive: OpaquePointer, by zip: UnsafePointer<qz_zip>, limits: AppLimits
    ) throws(AppError) -> [Entry] {
        let count = zip.pointee.zip_get_num_entries(archive, 0)
        guard count >= 0, count <= Int64(limits.entries) else { throw broken }
        var entries: [Entry] = []
        var total = 0
        for index in 0..<UInt64(count) {
            guard let (entry, isFolder) = try judge(archive, by: zip, index, limits) else { continue }
            if isFolder { continue }
            total += entry.size
            guard total <= limits.unpackedBytes else {
                throw AppError(
                    .tooLarge, "the package unpacks to more than \(limits.unpackedBytes >> 20) MiB")
            }
            entries.append(entry)
        }
        return try withoutCommonFolder(entries)
    }

    private static func judge(
        _ archive: OpaquePointer, by zip: UnsafePointer<qz_zip>, _ index: UInt64, _ limits: AppLimits
    ) throws(AppError) -> (Entry, isFolder: Bool)? {
        var status = zip_stat_t()
        let isKnown = zip.pointee.zip_stat_index(archive, index, 0, &status) == 0
        let needed = UInt64(ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)
        guard isKnown, status.valid & needed == needed, let pointer = status.name else { throw broken }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: strnlen(pointer, limits.pathBytes + 1))
        guard bytes.count <= limits.pathBytes, let name = String(validating: bytes, as: UTF8.self) else {
            throw AppError(.invalid, "the package has a file whose name is longer than \(limits.pathBytes) bytes")
        }
        let (path, isFolder) = try self.path(name, limits)
        var system: UInt8 = 0
        var attributes: UInt32 = 0
        if zip.pointee.zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0, system == 3 {
            // For archives from Unix, the file mode is in the upper half; a mode without a file type means a regular
            // file.
            let kind = attributes >> 16 & S_IFMT
            guard kind == 0 || kind == (isFolder ? S_IFDIR : S_IFREG) else {
                throw AppError(.invalid, "the package has \"\(name)\", which is a link or a special file")
            }
        }
        guard status.encryption_method == UInt16(ZIP_EM_NONE) else {
            throw AppError(.invalid, "\"\(name)\" is encrypted")
        }
        guard [Int32(ZIP_CM_STORE), Int32(ZIP_CM_DEFLATE)].contains(Int32(status.comp_method)) else {
            throw AppError(.invalid, "\"\(name)\" is compressed with a method other than deflate")
        }
        guard status.size <= UInt64(limits.fileBytes) else {
            throw AppError(
                .tooLarge, "\"\(name)\" has \(status.size) bytes; the limit for a file is \(limits.fileBytes >> 20) MiB"
            )
        }
        return (Entry(index: index, path: path, size: Int(status.size)), isFolder)
    }

    /// Splits a path into its components.
    ///
    /// Rejects paths that lead out of the app, or that two readers could interpret differently.
    static func path(_ name: String, _ limits: AppLimits = AppLimits()) throws(AppError) -> ([String], isFolder: Bool) {
        let refusal = AppError(
            .invalid, "the package has the path \"\(name.debugDescription.dropFirst().dropLast())\", which is refused")
        // Splits by bytes, as the system does: Swift sees a slash and a following combining mark as one character.
        let isFolder = name.utf8.last == UInt8(ascii: "/")
        var parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String($0) ?? ""
        }
        if isFolder { parts.removeLast() }
        guard !parts.isEmpty, parts.count <= limits.depth else { throw refusal }
        for part in parts {
            let isPlain = part.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" }
            guard isPlain, !["", ".", ".."].contains(part), part.utf8.count <= 255 else { throw refusal }
        }
        return (parts, isFolder)
    }

    /// Removes a top folder that contains all files; archives are often made of a folder, and its name has no
    /// meaning.
    private static func withoutCommonFolder(_ entries: [Entry]) throws(AppError) -> [Entry] {
        // The folder that macOS adds.
        var entries = entries.filter { $0.path.first != "__MACOSX" }
        if !entries.contains(where: { $0.path == ["index.html"] }), let folder = entries.first?.path.first,
            entries.allSatisfy({ $0.path.count > 1 && $0.path[0] == folder })
        {
            for index in entries.indices { entries[index].path.removeFirst() }
        }
        guard entries.contains(where: { $0.path == ["index.html"] }) else {
            throw AppError(.invalid, "the package has no index.html")
        }
        guard Set(entries.map(\.path)).count == entries.count else {
            throw AppError(.invalid, "the package has two files with the same path")
        }
        return entries
    }

    /// Writes all files below an existing, empty folder.
    ///
    /// - Returns: the total size of the files, in bytes.
    /// - Throws: ``AppError`` if a file is damaged or longer than declared, or the disk is full.
    func unpack(to folder: String) throws(AppError) -> Int {
        var made: Set<[String]> = []
        var total = 0
        for entry in entries {
            for depth in 1..<max(1, entry.path.count) {
                let parent = Array(entry.path.prefix(depth))
                guard made.insert(parent).inserted else { continue }
                let path = folder + "/" + parent.joined(separator: "/")
                guard mkdir(path, 0o755) == 0 else { throw AppError.disk("\(path) cannot be created", errno) }
            }
            try write(entry, to: folder + "/" + entry.path.joined(separator: "/"))
            total += entry.size
        }
        return total
    }

    private func write(_ entry: Entry, to path: String) throws(AppError) {
        let damaged = AppError(.invalid, "the package's file \(entry.path.joined(separator: "/")) is damaged")
        guard let source = zip.pointee.zip_fopen_index(archive, entry.index, 0) else { throw damaged }
        defer { _ = zip.pointee.zip_fclose(source) }
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard target >= 0 else { throw AppError.disk("\(path) cannot be created", errno) }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var left = entry.size
        while true {
            // libzip verifies the checksum at the end of the file.
            let count = Int(zip.pointee.zip_fread(source, &buffer, UInt64(buffer.count)))
            guard count >= 0, count <= left else { throw damaged }
            if count == 0 { break }
            left -= count
            var written = 0
            while written < count {
                let result = buffer.withUnsafeBytes {
                    Glibc.write(target, $0.baseAddress.map { $0 + written }, count - written)
                }
                if result < 0 && errno == EINTR { continue }
                guard result > 0 else { throw AppError.disk("\(path) cannot be written", errno) }
                written += result
            }
        }
        guard left == 0 else { throw damaged }
    }
}
