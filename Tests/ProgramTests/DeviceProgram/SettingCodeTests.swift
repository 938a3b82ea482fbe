import BarcodeDecoding
import StationDevices
import TestSupport
import Testing

/// The setting codes of guns, decoded with this project's decoder.
@Suite(.timeLimit(.minutes(10))) struct SettingCodeTests {
    @Test(arguments: ["png", "svg", "pdf"]) func aNameForAGun(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let program = ProgramRunner.built("scan-devices")
        let path = folder["code.\(kind)"]
        let result = try await program(["setting-code", "name", "Ward 3 (left) \\x", "--output", path])
        #expect(result.ending == .exit(0) && result.lines.isEmpty, "\(result.messages)")
        guard kind != "svg" else {
            #expect(readFile(path)?.text.contains("<svg") == true)
            return
        }
        let read = try await ProgramRunner.built("decode-image")([path])
        #expect(read.lines.contains { $0.hasSuffix("%%BT=Ward 3 (left) \\x") }, "\(read.lines) \(read.messages)")
    }

    @Test(arguments: [
        ("too long", ["name", "abcdefghijklmnopqrstu"], 1, "at most 20 characters, not 21"),
        ("no text", ["name"], 1, "needs a text"), ("another alphabet", ["name", "Süd"], 1, "printable ASCII"),
        ("no such setting", ["beep"], 64, "there is no setting \"beep\""),
        ("no such file", ["name", "a", "--settings", "/nowhere"], 66, "cannot be read"),
        ("no such folder", ["name", "a", "--output", "/nowhere/a.pdf"], 1, "cannot be written"),
        ("another kind of file", ["name", "a", "--output", "a.gif"], 64, ".png, .svg or .pdf"),
    ])
    func faults(_ label: String, _ arguments: [String], _ status: Int32, _ words: String) async throws {
        let folder = try TemporaryFolder()
        var program = ProgramRunner.built("scan-devices")
        program.environment += ["HOME=\(folder.path)"]
        let output = arguments.contains("--output") ? [] : ["--output", folder["a.png"]]
        let result = try await program(["setting-code"] + arguments + output)
        #expect(result.ending == .exit(status) && result.messages.contains(words), "\(label): \(result.messages)")
    }

    @Test func settingsOfAFile() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("makers", Array("# ours\nacme | loud | - | \\x02!L | beeps loudly\n".utf8))
        let program = ProgramRunner.built("scan-devices")
        let list = try await program(["setting-code", "--settings", file])
        #expect(
            list.lines == [
                "name TEXT (at most 20 characters): gives a Bluetooth gun the name by which it is found, --maker "
                    + "bluetooth",
                "loud: beeps loudly, --maker acme",
            ], "\(list.messages)")
        let code = try await program(["setting-code", "loud", "--settings", file, "--output", folder["a.png"]])
        #expect(code.ending == .exit(0), "\(code.messages)")
        let read = try await ProgramRunner.built("decode-image")(["--json", folder["a.png"]])
        #expect(read.lines.first?.contains(#""rawBytes":"AiFM""#) == true, "\(read.lines)")
    }

    /// Another maker's code may set something else.
    @Test func aSettingOfSeveralMakers() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("makers", Array("acme | loud | - | A | x\nzeta | loud | - | Z | y\n".utf8))
        let program = ProgramRunner.built("scan-devices")
        let arguments = ["setting-code", "loud", "--settings", file, "--output", folder["a.png"]]
        let result = try await program(arguments)
        #expect(result.ending == .exit(64))
        #expect(result.messages.contains("several makers have the setting \"loud\"; name one of them: acme, zeta"))
        #expect(try await program(arguments + ["--maker", "zeta"]).ending == .exit(0))
    }

    /// The settings of most makers begin with FNC3, which is not part of the decoded text.
    @Test func aSettingWithTheFunctionCharacter() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "makers",
            Array("acme | plain | - | L1 | quiet\nacme | set | - | \\F3L1 | loud\nacme | to | 2 | \\F3{}; | x\n".utf8))
        var widths: [Int] = []
        for arguments in [["plain"], ["set"], ["to", "L1"]] {
            let path = folder["\(arguments[0]).png"]
            let code = try await ProgramRunner.built("scan-devices")(
                ["setting-code"] + arguments + ["--settings", file, "--output", path])
            #expect(code.ending == .exit(0), "\(code.messages)")
            let read = try await ProgramRunner.built("decode-image")(["--raw", path])
            #expect(read.lines == [arguments[0] == "to" ? "L1;" : "L1"], "\(read.messages)")
            let json = try await ProgramRunner.built("decode-image")(["--json", path])
            let width = try #require(try json.lines.first?.firstMatch(of: Regex("\"width\":([0-9]+)"))?[1].substring)
            widths.append(try #require(Int(width)))
        }
        // A character is 11 modules of 4 pixels each; edges are located to a pixel or two.
        #expect(widths.map { Int((Double($0 - widths[0]) / 44).rounded()) } == [0, 1, 2], "\(widths)")
    }

    @Test(
        "A code is read back, in all code sets",
        arguments: [
            "a", "12", "1234", "12345", "a12345b", "a1234567", "98765432109876", "\u{2}!L", "A\u{1}b\u{1f}",
            "x\u{7f}0123",
            "\u{1}12\u{2}", "{}~`^_@", " ",
        ], [false, true])
    func codeSets(_ content: String, beginsWithFNC3: Bool) throws {
        let code = try SettingCode(Array(content.utf8), beginsWithFNC3: beginsWithFNC3)
        let symbols = try BarcodeDecoder().decode(
            bytes: code.file(.png), options: DecodeOptions(symbologies: [.code128]))
        #expect(symbols.map(\.bytes) == [Array(content.utf8)])
    }

    @Test(arguments: ["", "Süd"]) func contentsThatAreNone(_ content: String) {
        #expect(throws: SettingFault.self) { try SettingCode(Array(content.utf8)) }
    }

    /// Output never goes to a link or a device in place of a file.
    @Test(arguments: ["png", "svg", "pdf"]) func onlyARegularFileIsReplaced(_ kind: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("settings", Array("acme | plain | - | L1 | y\n".utf8))
        let target = try folder.file("target.\(kind)", Array("mine".utf8))
        try folder.link("link.\(kind)", to: target)
        let pipe = try folder.fifo("pipe.\(kind)")
        for path in [folder["link.\(kind)"], pipe] {
            let result = try await ProgramRunner.built("scan-devices")(
                ["setting-code", "plain", "--settings", file, "--output", path])
            #expect(result.ending == .exit(1))
            #expect(
                result.messages.contains("it is not a regular file; remove it, or choose another"), "\(result.messages)"
            )
        }
        #expect(readFile(target) == Array("mine".utf8))
    }

    /// A failure to write is an error; scripts check the status.
    @Test func aListThatCannotBeWritten() async throws {
        var program = ProgramRunner.built("scan-devices")
        program.streams = .init(output: .file("/dev/full"))
        let result = try await program(["setting-code"])
        #expect(result.ending == .exit(1))
        #expect(result.messages.contains("standard output: No space left on device"), "\(result.messages)")
    }

    @Test(arguments: [
        "acme | loud | - | x", "acme | loud | - | {} | y", "acme | loud | 5 | x | y", "acme | loud | 0 | {} | y",
        "acme | loud | - | \\xZZ | y", "acme | loud | 5 | {}{} | y", "| loud | - | x | y",
        "acme | loud | - | \\F3 | y", "acme | loud | - | x\\F3y | y", "acme | loud | - | \\F3\\F3y | y",
    ])
    func linesThatAreNone(_ line: String) {
        var table = SettingTable()
        #expect(throws: SettingFault.self) { try table.add(Array("\n\(line)\n".utf8)) }
        #expect(!table.settings.isEmpty)
    }
}
