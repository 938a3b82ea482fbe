import BarcodeCore
import DecodeReports
import DropFolder
import Glibc
import ProgramSupport

/// The folder to watch, by its given path and its absolute path.
struct WatchedFolderPath {
    /// The absolute path without links, byte for byte.
    let path: [UInt8]
    /// The path as it was given.
    let name: PictureName

    /// Resolves the path of the folder.
    ///
    /// - Parameters:
    ///   - argument: the path as ``RawArguments`` has it.
    ///   - isWatched: true if it is the folder to watch, for messages.
    /// - Throws: ``Failure`` if there is no such folder.
    init(_ argument: String, isWatched: Bool = true) throws {
        name = RawArguments.name(argument)
        guard let resolved = name.bytes.withPath({ realpath($0, nil) }) else {
            throw Failure(
                message:
                    "the folder \(name.display) cannot be \(isWatched ? "watched" : "used"): "
                    + String(cString: strerror(errno)), status: Failure.noInput)
        }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(message: "\(name.display) is not a folder; give a folder", status: Failure.noInput)
        }
        path = Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map(UInt8.init(bitPattern:))
    }

    /// The default file name of the outbox below the state folder.
    ///
    /// Each watched folder has its own, so that several can be watched without a configuration.
    var databaseName: String {
        // FNV-1a, 64 bits: the name needs only to be the same in every run.
        let hash = path.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let last = path.split(separator: 0x2F).last ?? []
        let name = String(
            decoding: last.prefix(40).map { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    ? byte : 0x2D
            }, as: UTF8.self)
        return "watch-\(name)-\(String(hash, radix: 16)).sqlite"
    }
}
