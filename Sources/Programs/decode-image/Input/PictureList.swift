import BarcodeCore
import DecodeReports
import Dispatch
import Glibc
import ImageCodecs
import ProgramSupport

/// An item of the command line, in its order.
enum PictureItem: Sendable {
    /// An image to decode.
    case picture(PictureName)
    /// An argument that is not an image, with the reason.
    case problem(String)
    /// A number of files in a folder that were skipped because they are not images.
    case skipped(Int)
}

/// The items, found on a separate thread, which stays a limited number ahead of the consumer.
struct PictureItems: Sendable {
    /// The maximum number of items that wait for the consumer.
    static let ahead = 1024

    private let stream: AsyncStream<PictureItem>
    private let room = DispatchSemaphore(value: 0)

    /// Creates the items that `find` passes to its closure, which blocks until there is room.
    init(find: @escaping @Sendable (_ put: (PictureItem) -> Void) -> Void) {
        for _ in 0..<Self.ahead { room.signal() }
        stream = AsyncStream(bufferingPolicy: .unbounded) { [room] continuation in
            // A separate queue, because reading a list blocks.
            DispatchQueue(label: "names of pictures").async {
                find { item in
                    room.wait()
                    continuation.yield(item)
                }
                continuation.finish()
            }
        }
    }

    /// The next item; `nil` after the last.
    func next() async -> PictureItem? {
        var iterator = stream.makeAsyncIterator()
        let item = await iterator.next()
        if item != nil { room.signal() }
        return item
    }
}

/// The images named on the command line, in its order, with folders expanded.
struct PictureList {
    let input: InputOptions

    /// The images as they become known.
    ///
    /// A list on standard input may still grow while the first images are decoded.
    ///
    /// A list of a million names is read no faster than its images are decoded.
    func items() -> PictureItems {
        PictureItems { put in
            for argument in input.pictures { add(RawArguments.name(argument), put) }
            for list in input.filesFrom { readList(list, separator: 0x0A, put) }
            for list in input.files0From { readList(list, separator: 0, put) }
        }
    }

    private func add(_ name: PictureName, _ put: (PictureItem) -> Void) {
        if input.recursive, FileKind(of: name.bytes) == .folder {
            var skipped = 0
            walk(name.bytes, skipped: &skipped, put)
            if skipped > 0 { put(.skipped(skipped)) }
        } else {
            put(.picture(name))
        }
    }

    /// Passes on the images in a folder and its sub-folders, with the entries of each folder sorted by name.
    ///
    /// Links to folders are not followed, to avoid cycles. Files that do not begin like an image are counted and
    /// skipped.
    private func walk(
        _ folder: [UInt8], skipped: inout Int, _ put: (PictureItem) -> Void
    ) {
        let entries: [[UInt8]]
        do {
            entries = try FolderNames.all(in: folder)
        } catch {
            put(.problem("\(PictureName(bytes: folder).display): the folder cannot be read: \(error.reason)"))
            return
        }
        for entry in entries {
            let path = folder.last == 0x2F ? folder + entry : folder + [0x2F] + entry
            switch FileKind(of: path, followsLinks: false) {
            case .folder: walk(path, skipped: &skipped, put)
            case .file where FileKind.beginsAsPicture(path), .link where FileKind.beginsAsPicture(path):
                put(.picture(PictureName(bytes: path)))
            // An entry whose status cannot be read may be an image; one that was removed is not.
            case nil where errno != ENOENT: put(.picture(PictureName(bytes: path)))
            case .file, .link, .other, nil: skipped += 1
            }
        }
    }

    private func readList(
        _ list: String, separator: UInt8, _ put: (PictureItem) -> Void
    ) {
        var descriptor = STDIN_FILENO
        var name = "standard input"
        if list != "-" {
            let path = RawArguments.name(list)
            name = path.display
            descriptor = path.bytes.withPath { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else {
                put(.problem("\(name): the list cannot be opened: \(ErrorNumber.text)"))
                return
            }
        }
        defer { if list != "-" { close(descriptor) } }
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var rest: [UInt8] = []
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                put(.problem("\(name): the list cannot be read: \(ErrorNumber.text)"))
                return
            }
            if count == 0 { break }
            if separator != 0, chunk[..<count].contains(0) {
                put(.problem("\(name): the list has NUL characters between the names: use --files0-from"))
                return
            }
            var names = chunk[..<count].split(separator: separator, omittingEmptySubsequences: false)
            names[0] = rest[...] + names[0]
            rest = Array(names.removeLast())
            for line in names { addListed(line, separator, put) }
        }
        addListed(rest[...], separator, put)
    }

    /// Adds a name from a list, in which - is the name of a file: standard input may be the list itself.
    private func addListed(_ line: ArraySlice<UInt8>, _ separator: UInt8, _ put: (PictureItem) -> Void) {
        var name = Array(line)
        // A list of Windows has line ends of two characters.
        if separator == 0x0A, name.last == 0x0D, FileKind(of: name, followsLinks: false) == nil { name.removeLast() }
        if name.isEmpty { return }
        add(PictureName(bytes: name == Array("-".utf8) ? Array("./-".utf8) : name), put)
    }
}
