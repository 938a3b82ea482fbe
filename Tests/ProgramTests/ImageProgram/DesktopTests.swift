import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The desktop integration with scripts in place of the desktop's programs; `make test-desktop` uses real ones.
    @Suite struct DesktopTests {
        /// A desktop whose programs record their calls in a folder.
        private struct Desktop {
            let folder: TemporaryFolder
            var program: ProgramRunner

            init(_ scripts: [String: String], variable: String = "WAYLAND_DISPLAY=wayland-0") throws {
                folder = try TemporaryFolder()
                for (name, text) in scripts {
                    let path = try folder.file(name, Array("#!/bin/sh\ncd '\(folder.path)'\n\(text)\n".utf8))
                    try makeExecutable(path)
                }
                program = decodeImage
                // The desktop session of the user who runs the tests must not be reachable.
                program.environment = [
                    "PATH=\(folder.path):/usr/bin:/bin", "HOME=\(folder.path)",
                    "DBUS_SESSION_BUS_ADDRESS=unix:path=/none",
                ]
                if !variable.isEmpty { program.environment.append(variable) }
            }

            /// Returns the content of a recorded file.
            func text(_ name: String) -> String? { readFile(folder[name])?.text }
        }

        private static func paste(_ type: String, _ file: String) -> String {
            "case \"$*\" in --list-types) printf 'text/html\\n\(type)\\n' ;; *'--type \(type)'*) cat '\(file)' ;; *) exit 1 ;; esac"
        }

        @Test func aPictureInTheClipboard() async throws {
            let desktop = try Desktop(["wl-paste": Self.paste("image/png", Samples.path("qr.png"))])
            let result = try await desktop.program(["--clipboard"])
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(result.lines == ["qr_code: https://example.org/quietzone"])
        }

        @Test func aFileThatWasCopied() async throws {
            let folder = try TemporaryFolder()
            let picture = try folder.file("a b%.png", readFile(Samples.path("ean13.png")) ?? [])
            let address = "file://" + picture.replacing("%", with: "%25").replacing(" ", with: "%20")
            let list = try folder.file("list", Array("# copied\r\n\(address)\r\n".utf8))
            let desktop = try Desktop(["wl-paste": Self.paste("text/uri-list", list)])
            let result = try await desktop.program(["--clipboard", "--json"])
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(try Answer(result.lines.first ?? "").source == picture)
        }

        @Test func whatWasReadIsCopiedAndShown() async throws {
            let desktop = try Desktop(
                [
                    "xclip": "echo \"$*\" >copied-by; cat >copied", "notify-send": "printf '%s\\n' \"$@\" >shown",
                ], variable: "DISPLAY=:9")
            let pictures = [Samples.path("ean13.png"), Samples.path("qr.png")]
            let result = try await desktop.program(["--copy", "--notify"] + pictures)
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(desktop.text("copied-by") == "-selection clipboard -i\n")
            #expect(desktop.text("copied") == "4006381333931\nhttps://example.org/quietzone")
            #expect(
                desktop.text("shown")?.hasSuffix("--\n2 codes\n4006381333931\nhttps://example.org/quietzone\n") == true)
        }

        /// A link is only opened at a click, and with its own address; the content of a code is never markup.
        @Test func aLinkIsOpenedAtAClick() async throws {
            let scripts = ["notify-send": "printf '%s\\n' \"$@\" >shown; echo open", "xdg-open": "echo \"$1\" >opened"]
            let desktop = try Desktop(scripts)
            let link = try await desktop.program(["--notify", Samples.path("qr.png")])
            #expect(link.ending == .exit(0), "\(link.messages)")
            #expect(desktop.text("shown")?.contains("--action\nopen=Open\n--\nQR Code\nhttps://") == true)
            #expect(desktop.text("opened") == "https://example.org/quietzone\n")
            let other = try Desktop(scripts)
            let number = try await other.program(["--notify", Samples.path("ean13.png")])
            #expect(number.ending == .exit(0), "\(number.messages)")
            #expect(other.text("shown")?.contains("--action") == false && other.text("opened") == nil)
        }

        @Test func aPictureOfTheScreen() async throws {
            let desktop = try Desktop(["grim": "cat '\(Samples.path("data-matrix.png"))'"])
            let result = try await desktop.program(["--screen"])
            #expect(result.ending == .exit(0), "\(result.messages)")
            #expect(result.lines.first?.hasPrefix("data_matrix: ") == true)
        }

        @Test(
            arguments: [
                ("no desktop", ["--clipboard"], "", [:], "neither WAYLAND_DISPLAY nor DISPLAY is set"),
                (
                    "nothing copied", ["--clipboard"], "WAYLAND_DISPLAY=w",
                    ["wl-paste": "echo 'No selection' >&2; exit 1"],
                    "the clipboard has no picture"
                ),
                (
                    "a text", ["--clipboard"], "WAYLAND_DISPLAY=w", ["wl-paste": "echo text/plain"],
                    "the clipboard has no picture"
                ),
                (
                    "a program that fails", ["--screen"], "WAYLAND_DISPLAY=w",
                    ["grim": "echo 'no such output' >&2; exit 3"],
                    "grim failed: no such output"
                ),
                (
                    "a notification that nobody shows", ["--notify", Samples.path("qr.png")], "DISPLAY=:9",
                    ["notify-send": "exit 1"], "notify-send failed"
                ),
            ] as [(String, [String], String, [String: String], String)])
        func faults(
            _ label: String, _ arguments: [String], _ variable: String, _ scripts: [String: String], _ words: String
        ) async throws {
            let desktop = try Desktop(scripts, variable: variable)
            let result = try await desktop.program(arguments)
            #expect(result.ending == .exit(1), "\(label)")
            #expect(result.messages.contains("decode-image: ") && result.messages.contains(words), "\(result.messages)")
        }

        @Test(arguments: [["--clipboard", "--screen"], ["--clipboard", "a.png"]])
        func whatDoesNotGoTogether(_ arguments: [String]) async throws {
            #expect(try await decodeImage(arguments).ending == .exit(64))
        }
    }
}
