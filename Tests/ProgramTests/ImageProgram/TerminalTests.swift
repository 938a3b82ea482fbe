import Foundation
import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// Escape sequences in names and codes must not reach a terminal.
    @Suite struct TerminalTests {
        /// An escape sequence that sets the title, its single-character form, and a right-to-left override.
        static let hostile = "\u{1B}]0;title\u{7}\u{9B}31m\u{202E}gpj\u{2066}\u{7F}"

        /// Writes a QR code of the hostile text.
        private static func picture(_ path: String, _ text: String = hostile) throws {
            let result = try ProgramRunner(executable: "/usr/bin/env").run(
                ["qrencode", "-8", "-o", path], input: Array(text.utf8))
            try #require(result.ending == .exit(0), "\(result.messages)")
        }

        /// Returns the output of a program on a terminal.
        private func onTerminal(_ program: ProgramRunner, _ arguments: [String]) throws -> String {
            let words = ([program.executable] + arguments).map {
                "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'"
            }
            let result = try ProgramRunner(executable: "/usr/bin/env").run(
                ["script", "-qefc", words.joined(separator: " "), "/dev/null"])
            return result.text.replacingOccurrences(of: "\r\n", with: "\n")
        }

        /// Returns the characters that a terminal or a log would interpret.
        private func hidden(_ text: String) -> [String] {
            text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x0A: false
                case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x061C: true
                default: false
                }
            }.map { String($0.value, radix: 16) }
        }

        @Test(arguments: [[], ["--json"], ["--table"]])
        func decodeImageOnATerminal(_ form: [String]) async throws {
            let folder = try TemporaryFolder()
            let name = folder["\(Self.hostile).png"]
            try Self.picture(folder["plain.png"])
            try #require(rename(folder["plain.png"], name) == 0)
            for more in [[], [name], [folder["missing \(Self.hostile)"]]] {
                let text = try onTerminal(ProgramTests.decodeImage, form + ["--quiet", name] + more)
                #expect(hidden(text) == [], "\(form) \(more.count): \(text.debugDescription)")
                #expect(text.contains("title") && text.contains("31m"))
            }
        }

        /// A code and a name are each printed on one line, so that neither can imitate the line of another picture.
        @Test func aLineFeedBeginsNoLine() async throws {
            let folder = try TemporaryFolder()
            let text = "paid\nother.png: qr_code: https://example.org"
            let name = folder["a.png\nother.png"]
            try Self.picture(folder["plain.png"], text)
            try #require(rename(folder["plain.png"], name) == 0)
            for more in [[], [name], [folder["none\nother.png: qr_code: 1"]]] {
                let shown = try onTerminal(ProgramTests.decodeImage, [name] + more)
                #expect(!shown.split(separator: "\n").contains { $0.hasPrefix("other.png") }, "\(shown)")
                #expect(shown.contains(#"paid\u{a}other.png: qr_code: https://example.org"#))
            }
            let seen = try onTerminal(.decodeCamera, ["--replay", name])
            #expect(seen == #"qr_code: paid\u{a}other.png: qr_code: https://example.org"# + "\n")
            let missing = try await ProgramTests.decodeImage([folder["none\nother.png: qr_code: 1"]])
            #expect(missing.messages.split(separator: "\n").count == 1)
        }

        /// Messages are always escaped; text for another program is exact.
        @Test func decodeImageInAPipe() async throws {
            let folder = try TemporaryFolder()
            try Self.picture(folder["a.png"])
            let exact = try await ProgramTests.decodeImage([folder["a.png"]])
            #expect(exact.text == "qr_code: \(Self.hostile)\n")
            #expect(try await ProgramTests.decodeImage(["--raw", folder["a.png"]]).text == Self.hostile)
            for arguments in [
                ["--bad\(Self.hostile)"], ["--formats", Self.hostile, "x"], [folder[Self.hostile]],
                ["--files-from", folder[Self.hostile]], [folder["a.png"], "--annotate", "/dev/null/\(Self.hostile)"],
            ] {
                let result = try await ProgramTests.decodeImage(arguments)
                #expect(
                    hidden(result.messages) == [] && !result.messages.isEmpty, "\(result.messages.debugDescription)")
            }
        }

        @Test func jsonHidesNothing() async throws {
            let folder = try TemporaryFolder()
            try Self.picture(folder["a.png"])
            for program in [ProgramTests.decodeImage, ProgramRunner.decodeCamera] {
                let arguments = program.executable.hasSuffix("camera") ? ["--replay"] : []
                let result = try await program(arguments + [folder["a.png"], "--json"])
                #expect(hidden(result.text) == [], "\(result.text.debugDescription)")
                #expect(result.text.contains("\\u009b31m\\u202egpj\\u2066\\u007f"))
                #expect(try result.answer().symbols.map(\.rawValue) == [Self.hostile])
            }
        }

        @Test func decodeCamera() async throws {
            let folder = try TemporaryFolder()
            let name = folder["\(Self.hostile).png"]
            try Self.picture(folder["plain.png"])
            try #require(rename(folder["plain.png"], name) == 0)
            let text = try onTerminal(.decodeCamera, ["--replay", name, "--stats"])
            #expect(hidden(text) == [] && text.contains("title"), "\(text.debugDescription)")
            // Exact in a pipe.
            #expect(try await ProgramRunner.decodeCamera(["--replay", name]).text == "qr_code: \(Self.hostile)\n")
            for arguments in [
                ["--replay", folder[Self.hostile]], ["--replay", name, "--snapshot", "/dev/null/\(Self.hostile)"],
                ["--device", Self.hostile, "--list"], ["--bad\(Self.hostile)"], ["--formats", Self.hostile],
            ] {
                let result = try await ProgramRunner.decodeCamera(arguments)
                #expect(
                    hidden(result.messages) == [] && !result.messages.isEmpty, "\(result.messages.debugDescription)")
            }
        }
    }
}
