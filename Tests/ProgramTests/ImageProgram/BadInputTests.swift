import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Invalid input: it gets a clear error, both alone and beside a valid picture, which is decoded.
    @Suite struct BadInputTests {
        let good = Samples.path("ean8.png")

        struct Case: CustomTestStringConvertible, Sendable {
            var label: String
            /// Creates the picture in the folder and returns its path.
            var make: @Sendable (TemporaryFolder) throws -> String
            /// The acceptable results: error codes, or the text of the symbols.
            var outcomes: Set<String>
            var isTruncated: Bool?
            var options: [String] = []
            var testDescription: String { label }
        }

        static let url = "https://example.org/quietzone"

        static let cases: [Case] = [
            .init(label: "missing", make: { $0["missing.png"] }, outcomes: ["not_found"]),
            .init(label: "in a missing folder", make: { $0["no/such.png"] }, outcomes: ["not_found"]),
            .init(
                label: "in a file", make: { try $0.file("file", [1]) + "/picture.png" }, outcomes: ["not_found"]),
            .init(label: "folder", make: { try $0.folder("folder.png") }, outcomes: ["is_directory"]),
            .init(label: "link in a circle", make: { try $0.link("circle", to: "circle") }, outcomes: ["unreadable"]),
            .init(label: "link to nothing", make: { try $0.link("lost", to: "nowhere") }, outcomes: ["not_found"]),
            .init(label: "empty", make: { try $0.file("empty.png", []) }, outcomes: ["empty_file"]),
            .init(
                label: "text named .jpg", make: { try $0.file("text.jpg", Array("This is no picture.\n".utf8)) },
                outcomes: ["unsupported_format"]),
            .init(label: "one byte", make: { try $0.file("byte.png", [0x89]) }, outcomes: ["unsupported_format"]),
            .init(
                label: "GIF", make: { try $0.file("a.png", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 20)) },
                outcomes: ["corrupt"]),
            .init(
                label: "PDF", make: { try $0.file("a.png", Array("%PDF-1.4".utf8) + [UInt8](repeating: 0, count: 20)) },
                outcomes: ["corrupt"]),
            .init(
                label: "PNG that claims 60,000 x 60,000",
                make: { try $0.file("claim.png", Pictures.pngThatClaims(width: 60_000, height: 60_000)) },
                outcomes: ["too_large"]),
            .init(
                label: "PNG of the maximum size in its header",
                make: { try $0.file("claim.png", Pictures.pngThatClaims(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)) },
                outcomes: ["too_large", "corrupt"]),
            .init(
                label: "PNG bomb of 201 megapixels",
                make: { try $0.file("bomb.png", Pictures.pngBomb(width: 14_200, height: 14_200)) },
                outcomes: ["too_large"]),
            .init(
                label: "PNM bomb of 201 megapixels",
                make: { try $0.file("bomb.pgm", Array("P5 14200 14200 255\n\0\0".utf8)) }, outcomes: ["too_large"]),
            .init(
                label: "PNG of 4 megapixels with a limit of 3",
                make: { try $0.file("bomb.png", Pictures.pngBomb(width: 2000, height: 2000)) },
                outcomes: ["too_large"], options: ["--max-megapixels", "3"]),
            .init(
                label: "PNG of 4 megapixels",
                make: { try $0.file("black.png", Pictures.pngBomb(width: 2000, height: 2000)) }, outcomes: [""],
                isTruncated: false),
            .init(
                label: "file longer than the limit", make: { _ in Samples.path("scene-12mp.jpg") },
                outcomes: ["too_large"], options: ["--max-file-megabytes", "0.1"]),
            .init(
                label: "wrong CRC of the pixels", make: { try $0.file("crc.png", damaged("IDAT")) },
                outcomes: ["corrupt", url, ""], isTruncated: nil),
            .init(
                label: "wrong CRC of the header", make: { try $0.file("crc.png", damaged("IHDR")) },
                outcomes: ["corrupt"]),
            .init(label: "CMYK", make: { _ in Samples.path("qr-cmyk.jpg") }, outcomes: [url], isTruncated: false),
            .init(label: "device without end", make: { _ in "/dev/zero" }, outcomes: ["too_large"]),
            .init(label: "device without bytes", make: { _ in "/dev/null" }, outcomes: ["empty_file"]),
            .init(label: "socket", make: { try socket(in: $0) }, outcomes: ["unreadable"]),
            .init(
                label: "FIFO without a writer", make: { try $0.fifo("silent") }, outcomes: ["timed_out"],
                options: ["--timeout", "10"]),
            .init(
                label: "line feeds in the name",
                make: { try $0.file("a\nb\n.png", Samples.bytes("qr.png")) }, outcomes: [url], isTruncated: false),
            .init(label: "empty name", make: { _ in "" }, outcomes: ["not_found"]),
            .init(
                label: "name that is too long", make: { $0[String(repeating: "x", count: 300)] },
                outcomes: ["unreadable"]),
            .init(
                label: "a plane's private characters in the name",
                make: { try $0.file("\u{10FE41}\u{10FEFF}.png", Samples.bytes("qr.png")) }, outcomes: [url]),
        ]

        @Test(arguments: cases) func bad(_ test: Case) async throws {
            let folder = try TemporaryFolder()
            let picture = try test.make(folder)
            let alone = try await decodeImage(["--json"] + test.options + [picture])
            let batch = try await decodeImage(["--json"] + test.options + [good, picture, good])
            let answers = try batch.answers()
            #expect(batch.lines.count == 3)
            #expect(answers[good]?.outcome == "96385074")
            for answer in [try alone.answer(), try #require(answers[picture])] {
                #expect(answer.source == picture)
                #expect(test.outcomes.contains(answer.outcome), "\(answer)")
                if let isTruncated = test.isTruncated { #expect(answer.truncated == isTruncated) }
                if answer.error != nil { #expect(answer.symbols.isEmpty) }
            }
            let status: Int32 = try alone.answer().error != nil ? 1 : alone.answer().symbols.isEmpty ? 4 : 0
            #expect(alone.ending == .exit(status))
            #expect(batch.ending == .exit(status))
            #expect(alone.messages == "")
            // In text form, the same failure is a message that names the picture.
            guard status == 1, test.label != "FIFO without a writer" else { return }
            let text = try await decodeImage(test.options + [picture])
            #expect(text.output.isEmpty)
            #expect(text.messages.filter { $0 == "\n" }.count == 1)
            #expect(text.messages.hasPrefix("decode-image: " + (picture.isEmpty ? "the name" : "\(picture): ")))
        }

        @Test(arguments: ["qr.png", "qr-colour.jpg", "ean13-progressive.jpg", "qr-interlaced.png", "qr-lossy.webp"])
        func cutOff(_ file: String) async throws {
            let folder = try TemporaryFolder()
            let bytes = try Samples.bytes(file)
            var names: [String] = []
            for tenth in 0...10 {
                names.append(try folder.file("\(tenth)", Array(bytes[..<(bytes.count * tenth / 10)])))
            }
            let batch = try await decodeImage(["--json", good] + names)
            let answers = try batch.answers()
            #expect(answers.count == names.count + 1)
            #expect(answers[good]?.outcome == "96385074")
            for name in names {
                let alone = try await decodeImage(["--json", name]).answer()
                let answer = try #require(answers[name])
                #expect(answer.outcome == alone.outcome && answer.truncated == alone.truncated)
                #expect(["empty_file", "corrupt", "unsupported_format", nil].contains(answer.error?.code), "\(answer)")
                if name != names[10], answer.error == nil { #expect(answer.truncated, "\(answer)") }
            }
            #expect(answers[names[10]]?.error == nil && answers[names[10]]?.truncated == false)
        }

        @Test(.enabled(if: geteuid() == 0, "only the superuser can become somebody who may read nothing"))
        func unreadable() async throws {
            let folder = try TemporaryFolder()
            let secret = try folder.file("secret.png", Samples.bytes("qr.png"))
            let open = try folder.file("open.png", Samples.bytes("ean8.png"))
            try folder.folder("closed")
            chmod(secret, 0o600)
            chmod(folder["closed"], 0o700)
            // The folder's names can be listed, but its files cannot be read.
            try folder.folder("listed")
            let inside = try folder.file("listed/inside.png", Samples.bytes("qr.png"))
            chmod(folder["listed"], 0o744)
            #expect(symlink(folder["closed"] + "/a.png", folder["link.png"]) == 0)
            // The program at a path where every user may run it.
            let copy = try folder.file("decode-image", try #require(readFile(decodeImage.executable)))
            try makeExecutable(copy)
            let nobody = ProgramRunner(
                executable: "/usr/bin/setpriv", leading: ["--reuid=65534", "--regid=65534", "--clear-groups", copy])
            #expect(try await nobody(["--json", secret]).answer().error?.code == "permission_denied")
            let batch = try await nobody(["--json", secret, open]).answers()
            #expect(batch.mapValues(\.outcome) == [secret: "permission_denied", open: "96385074"])
            let walk = try await nobody(["--json", "--recursive", folder.path])
            let refused = Dictionary(
                uniqueKeysWithValues: [secret, inside, folder["link.png"]].map { ($0, "permission_denied") })
            #expect(try walk.answers().mapValues(\.outcome) == refused.merging([open: "96385074"]) { $1 })
            #expect(walk.messages.contains("\(folder["closed"]): the folder cannot be read: Permission denied"))
            #expect(walk.ending == .exit(1))
        }

        @Test func aPipeWithAWriterIsRead() async throws {
            let folder = try TemporaryFolder()
            let pipe = try folder.fifo("pipe")
            let bytes = try Samples.bytes("qr.png")
            for others in [[], [good]] {
                async let writing: Void = onThread {
                    let descriptor = open(pipe, O_WRONLY | O_CLOEXEC)
                    defer { close(descriptor) }
                    try writeAll(bytes, to: descriptor)
                }
                let answers = try await decodeImage(["--json", "--timeout", "240", pipe] + others).answers()
                #expect(answers[pipe]?.outcome == Self.url)
                try await writing
            }
        }

        @Test func namesThatAreNoUTF8() async throws {
            let folder = try TemporaryFolder()
            let name: [UInt8] = Array("z".utf8) + [0xFF, 0xFE, 0x0A, 0xC3] + Array("ü.png".utf8)
            try folder.folder("in")
            let path = try folder.file(Array("in/".utf8) + name, Samples.bytes("qr.png"))
            let shown = "\(folder["in"])/z\u{FFFD}\u{FFFD}\n\u{FFFD}ü.png"
            let runs: [(String, ProgramResult)] = [
                ("alone", try await decodeImage(bytes: [Array("--json".utf8), path])),
                ("alone, parsed", try await decodeImage(bytes: ["--json", "--first"].map { Array($0.utf8) } + [path])),
                (
                    "among others",
                    try await decodeImage(bytes: [Array("--json".utf8), path, Array("/nowhere".utf8)])
                ),
                ("in a list", try await decodeImage(["--json", "--files0-from", "-"], input: path + [0])),
                ("in a folder", try await decodeImage(["--json", "--recursive", folder["in"]])),
            ]
            for (label, result) in runs {
                let answer = try #require(try result.answers()[shown], "\(label): \(result.text)")
                #expect(answer.sourceBytes == Data(path).base64EncodedString(), "\(label)")
                #expect(answer.outcome == Self.url, "\(label)")
            }
            // In text form, the name is written byte for byte.
            let text = try await decodeImage(bytes: [path, path])
            #expect(text.output.starts(with: path + Array(": qr_code: ".utf8)))
            let annotated = try await decodeImage(bytes: ["--annotate", folder["out"]].map { Array($0.utf8) } + [path])
            #expect(annotated.ending == .exit(0))
            let copy = Array("\(folder["out"])/".utf8) + name + Array(".png".utf8)
            #expect(copy.withCString { access($0, R_OK) } == 0)
        }

        /// Returns a valid PNG with a wrong checksum after a chunk.
        static func damaged(_ chunk: String) throws -> [UInt8] {
            var bytes = try Samples.bytes("qr.png")
            let name = try #require(bytes.firstRange(of: Array(chunk.utf8)))
            let length = bytes[(name.lowerBound - 4)..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
            bytes[name.upperBound + length] ^= 0xFF
            return bytes
        }

        /// Creates a socket in the folder.
        static func socket(in folder: TemporaryFolder) throws -> String {
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder["socket"].utf8) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard status == 0 else { throw SystemFailure("bind") }
            return folder["socket"]
        }
    }
}
