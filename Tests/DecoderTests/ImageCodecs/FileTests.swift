import BarcodeCore
import Glibc
import TestSupport
import Testing

@testable import ImageCodecs

/// Paths and open file descriptors.
@Suite struct FileTests {
    static let readable = "\(ImageFormat.titles) can be read"
    static let known = "is not a picture of a known format; \(readable)"

    func error(_ path: String, _ loader: ImageLoader = ImageLoader()) -> DecodeError? {
        failure { () throws(DecodeError) in try loader.load(contentsOf: path) }
    }

    @Test func pathsThatAreNoPicture() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.file("empty.jpg", [])
        let absent = folder["absent.png"]
        #expect(error(absent) == DecodeError(.notFound, "there is no such file", subject: absent))
        #expect(error(absent)?.cause as? SystemError == SystemError("open", errno: ENOENT))
        #expect(error(empty + "/x") == DecodeError(.notFound, "there is no such file", subject: empty + "/x"))
        #expect(error("") == DecodeError(.notFound, "the name of a picture is empty", subject: ""))
        #expect(error("a\0b") == DecodeError(.notFound, "there is no such file", subject: "a\0b"))
        #expect(error(empty) == DecodeError(.emptyFile, "is empty", subject: empty))
        #expect(
            error(folder.path)
                == DecodeError(.isDirectory, "is a folder; give the pictures in it", subject: folder.path))
        #expect(error("/dev/null") == DecodeError(.emptyFile, "is empty", subject: "/dev/null"))
    }

    /// A link in a folder of pictures could lead to the pipe by which requests for other pictures come.
    @Test func aLinkDoesNotLeadToAnOpenFileOfAProcess() throws {
        let folder = try TemporaryFolder()
        let picture = try folder.file("picture.png", [1])
        let opened = try ImageLoader.openForPassing(Array(picture.utf8))
        for (name, target) in [("process", "/proc/self/fd/\(opened.number)"), ("file", picture)] {
            #expect(symlink(target, folder[name]) == 0)
        }
        do throws(DecodeError) {
            _ = try ImageLoader.openForPassing(Array(folder["process"].utf8))
            Issue.record("the link to an open file was followed")
        } catch {
            #expect(error.code == .unreadable)
        }
        _ = try ImageLoader.openForPassing(Array(folder["file"].utf8))
        // Of the command line, such as by `<(convert a.svg png:-)` of bash.
        _ = try ImageLoader.openForPassing(Array("/dev/fd/\(opened.number)".utf8))
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything"))
    func fileThatMayNotBeRead() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("secret.jpg", [1])
        chmod(path, 0)
        #expect(
            error(path)
                == DecodeError(
                    .permissionDenied, "may not be read by this user; see its permissions and its folder's",
                    subject: path))
    }

    @Test(arguments: [
        ("hello there\n", "a text file", ""),
        ("\0\0\0\u{18}ftypisom", "a video", ""),
        ("<?xml version='1.0'?>\n<svg>", "an SVG", "; convert it to PNG with `rsvg-convert`"),
        ("<!DOCTYPE html>", "a web page", "; it may have been saved instead of the picture"),
        ("PK\u{3}\u{4}", "a ZIP archive or an office document", "; unpack it first"),
    ])
    func otherFormatIsCalledByItsName(start: String, name: String, advice: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("photo.jpg", Array(start.utf8))
        #expect(
            error(path)
                == DecodeError(
                    .unsupportedFormat, "is \(name), not a picture that can be read\(advice); \(Self.readable)",
                    subject: path))
    }

    @Test func unknownBytesAreCalledNothing() {
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load([0, 1, 2, 3]) }
                == DecodeError(.unsupportedFormat, Self.known))
    }

    @Test func formatIsFoundByTheBytesAlone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("photo.png", try Fixtures.bytes("webp-lossy.webp"))
        #expect(try ImageLoader().load(contentsOf: path).format == .webp)
        #expect(ImageFormat.detect(in: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageFormat.detect(in: Array("P5 ".utf8)) == .pnm)
        #expect(ImageFormat.detect(in: Array("P5".utf8)) == nil)
        #expect(ImageFormat.detect(in: []) == nil)
    }

    @Test func formatFromOutside() throws {
        let dots = ImageDecoder(
            format: ImageFormat(rawValue: "dots"), title: "Dots", fileExtensions: ["dots"], mediaTypes: ["image/x-toy"],
            recognizes: { $0.hasText("DOTS") },
            decode: { (loader, bytes, _) throws(DecodeError) in
                try loader.limits.check(width: bytes.count - 4, height: 1)
                return LoadedImage(
                    image: LumaImage(width: bytes.count - 4, height: 1, pixels: Array(bytes[4...])),
                    width: bytes.count - 4, height: 1, format: ImageFormat(rawValue: "dots"))
            })
        var loader = ImageLoader()
        let bytes = Array("DOTS".utf8) + [1, 2, 3]
        #expect(throws: DecodeError.self) { try loader.load(bytes) }
        loader.decoders.append(dots)
        let loaded = try loader.load(bytes)
        #expect(loaded.format.rawValue == "dots" && loaded.width == 3)
        #expect(
            failure { () throws(DecodeError) in try loader.load([0, 1, 2, 3]) }
                == DecodeError(
                    .unsupportedFormat,
                    Self.known.replacing(ImageFormat.titles, with: ImageFormat.titles(of: loader.decoders))))
    }

    @Test func listsAreMadeFromTheTable() {
        #expect(ImageFormat.titles(of: Array(ImageDecoder.all.prefix(3))) == "JPEG, PNG and WebP")
        #expect(Set(ImageFormat.all).isSuperset(of: [.jpeg, .heic, .jpegXL, .pdf]))
        #expect(Set(ImageFormat.fileExtensions).isSuperset(of: ["jpg", "jpeg", "png", "webp", "pgm"]))
    }

    @Test func pathNeedNotBeUTF8() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file([0xFF, 0xFE, 0x2E, 0x70], try Fixtures.bytes("png-grey8.png"))
        #expect(try ImageLoader().load(contentsOf: path).format == .png)
        let loaded = try (path + [0]).withUnsafeBufferPointer {
            try $0.withMemoryRebound(to: CChar.self) { try ImageLoader().load(contentsOfCString: $0.baseAddress!) }
        }
        #expect(loaded.format == .png)
        let absent = path + [0xFF]
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(contentsOf: absent) }
                == DecodeError(.notFound, "there is no such file", subject: folder.path + "/\u{FFFD}\u{FFFD}.p\u{FFFD}")
        )
    }

    @Test func pipeWithoutAWriterIsNotWaitedForLong() throws {
        let folder = try TemporaryFolder()
        let path = folder["pipe"]
        try #require(mkfifo(path, 0o600) == 0)
        let loader = ImageLoader(streamTimeout: .milliseconds(50))
        #expect(error(path, loader) == DecodeError(.timedOut, "sent no bytes for 0.05 seconds", subject: path))
    }

    @Test func pipeIsReadToItsEnd() throws {
        let folder = try TemporaryFolder()
        let path = folder["pipe"]
        try #require(mkfifo(path, 0o600) == 0)
        // More than the capacity of a pipe, so that the writer must wait for the reader.
        let bytes = Array("P5 400 400 255\n".utf8) + [UInt8](repeating: 7, count: 160_000)
        let source = try folder.file("source.pgm", bytes)
        let writer = try #require(popen("cat '\(source)' > '\(path)'", "r"))
        let loaded = try ImageLoader().load(contentsOf: path)
        #expect(pclose(writer) == 0)
        #expect([loaded.width, loaded.height] == [400, 400])
        #expect(loaded.damage == nil)
        #expect(loaded.image[x: 399, y: 399] == 7)
    }

    @Test func openFileIsReadFromWhereItStands() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("joined", [1, 2, 3] + (try Fixtures.bytes("pnm-p5.pgm")))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        lseek(descriptor, 3, SEEK_SET)
        let loaded = try ImageLoader().load(fileDescriptor: descriptor)
        #expect(loaded.format == .pnm)
        // The descriptor is at the end of the file, and still open.
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(fileDescriptor: descriptor) }
                == DecodeError(.emptyFile, "is empty"))
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(fileDescriptor: -1) }
                == DecodeError(.unreadable, "could not be read: Bad file descriptor"))
    }

    @Test func socketsPathIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder["socket"]
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(error(path) == DecodeError(.unreadable, "is a device or socket, not a file", subject: path))
    }
}
