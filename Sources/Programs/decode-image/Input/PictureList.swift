import DecodeReports
import Dispatch
import Glibc
import ImageCodecs

/// What the command line asks to decode, in its order.
enum PictureItem: Sendable {
    /// A picture to decode.
    case picture(PictureName)
    /// Something that was named but holds no picture, with the reason.
    case problem(String)
    /// Files in a folder that were passed over because they are no pictures.
    case skipped(Int)
}

/// Items that are found on a thread of their own, which stays a bounded number ahead of whoever takes them.
struct PictureItems: Sendable {
    /// How many may wait to be taken.
    static let ahead = 1024

    private let stream: AsyncStream<PictureItem>
    private let room = DispatchSemaphore(value: 0)

    /// The items that `find` hands to the closure it is given, which waits until there is room.
    init(find: @escaping @Sendable (_ put: (PictureItem) -> Void) -> Void) {
        for _ in 0..<Self.ahead { room.signal() }
        stream = AsyncStream(bufferingPolicy: .unbounded) { [room] continuation in
            // A queue of its own: reading a list blocks.
            DispatchQueue(label: "names of pictures").async {
                find { item in
                    room.wait()
                    continuation.yield(item)
                }
                continuation.finish()
            }
        }
    }

    /// The next item; nil behind the last.
    func next() async -> PictureItem? {
        var iterator = stream.makeAsyncIterator()
        let item = await iterator.next()
        if item != nil { room.signal() }
        return item
    }
}

/// The pictures that the command line names, in its order, folders opened.
struct PictureList {
    let input: InputOptions

    /// The pictures as they become known: a list on standard input may still be growing while the first are decoded.
    ///
    /// A list of a million names is read no faster than its pictures are.
    func items() -> PictureItems {
        PictureItems { put in
            for argument in input.pictures { add(RawArguments.name(argument), put) }
            if let list = input.filesFrom { readList(list, separator: 0x0A, put) }
            if let list = input.files0From { readList(list, separator: 0, put) }
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

    /// Hands out the pictures in a folder and in its folders, each folder's entries by name.
    ///
    /// Links to folders are not followed, so that no walk runs in circles; files that do not begin as a picture does
    /// are counted and passed over.
    private func walk(
        _ folder: [UInt8], skipped: inout Int, _ put: (PictureItem) -> Void
    ) {
        guard let entries = Folder.entries(of: folder) else {
            put(
                .problem("\(PictureName(bytes: folder).display): the folder cannot be read: \(ErrorNumber.text)"))
            return
        }
        for entry in entries {
            let path = folder.last == 0x2F ? folder + entry : folder + [0x2F] + entry
            switch FileKind(of: path, followsLinks: false) {
            case .folder: walk(path, skipped: &skipped, put)
            case .file where FileKind.beginsAsPicture(path), .link where FileKind.beginsAsPicture(path):
                put(.picture(PictureName(bytes: path)))
            // What cannot even be looked at may be a picture; what was removed meanwhile is none.
            case nil where errno != ENOENT: put(.picture(PictureName(bytes: path)))
            case .file, .link, .other, nil: skipped += 1
            }
        }
    }

    private func readList(
        _ list: String, separator: UInt8, _ put: (PictureItem) -> Void
    ) {
        var descriptor = STDIN_FILENO
        if list != "-" {
            let path = RawArguments.name(list).bytes
            descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else {
                put(
                    .problem("\(PictureName(bytes: path).display): the list cannot be opened: \(ErrorNumber.text)"))
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
                put(.problem("the list of pictures cannot be read on: \(ErrorNumber.text)"))
                return
            }
            if count == 0 { break }
            var names = chunk[..<count].split(separator: separator, omittingEmptySubsequences: false)
            names[0] = rest[...] + names[0]
            rest = Array(names.removeLast())
            for name in names where !name.isEmpty { add(listed(name), put) }
        }
        if !rest.isEmpty { add(listed(rest[...]), put) }
    }

    /// A name from a list, where - is a file of that name: standard input may be the list itself.
    private func listed(_ name: ArraySlice<UInt8>) -> PictureName {
        PictureName(bytes: name.elementsEqual("-".utf8) ? Array("./-".utf8) : Array(name))
    }
}

extension [UInt8] {
    /// Lends the bytes as a C string.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }
}
