import BarcodeCore
import TestSupport
import Testing

/// The common behavior of all command lines.
@Suite(.timeLimit(.minutes(10))) struct CommandLineTests {
    @Test(arguments: [
        "decode-image", "decode-camera", "scan-outbox", "scan-devices", "watch-folder", "scan-station",
    ])
    func versions(_ name: String) async throws {
        let result = try await ProgramRunner.built(name)(["--version"])
        #expect(result.ending == .exit(0), "\(result.messages)")
        #expect(result.lines.first == "\(name) \(Quietzone.version)")
    }

    /// Lines of the help that are complete: an example is not wrapped, and a default is named.
    @Test(
        arguments: [
            ("watch-folder", [], "watch-folder inbox                     prints each code as JSON, moves files"),
            ("decode-camera", [], "  decode-camera --device @camera.txt          an address from a file"),
            ("scan-station", [], "  --port <number>         The port to listen on; 0 for any free port. (default:"),
            ("scan-station", [], "  --address <address>     The address to listen on. (default: 127.0.0.1)"),
            ("scan-station", [], "                          continuous)"),
            ("scan-station", [], "                          the number of processors, at most 8)"),
            ("scan-station", ["doctor"], "  sudo -u quietzone scan-station doctor \\"),
            ("scan-station", ["doctor"], "      --database /var/lib/quietzone/station.sqlite"),
        ] as [(String, [String], String)])
    func help(_ name: String, _ arguments: [String], _ line: String) async throws {
        let result = try await ProgramRunner.built(name)(arguments + ["--help"])
        #expect(result.ending == .exit(0))
        #expect(result.lines.contains(line), "\(result.text)")
    }

    /// A program, its arguments, and the limits in its message, for every option with a number.
    @Test(
        arguments: [
            ("decode-image", ["x", "--jobs"], "a whole number from 1 to 1024"),
            ("decode-image", ["x", "--worker-megabytes"], "a whole number from 64 to 1000000"),
            ("decode-image", ["x", "--timeout"], "a number from 0.001 to 86400"),
            ("decode-image", ["x", "--max-megapixels"], "a number from 0.001 to 4000"),
            ("decode-image", ["x", "--max-file-megabytes"], "a number from 0.001 to 100000"),
            ("decode-image", ["x", "--time-budget"], "a number from 1 to 86400000"),
            ("decode-image", ["x", "--dpi"], "a number from 36 to 2400"),
            ("decode-image", ["x", "--max-pages"], "a whole number from 1 to 1000000"),
            ("decode-camera", ["--rate"], "a number from 0.001 to 1000"),
            ("decode-camera", ["--absence"], "a number from 0 to 86400"),
            ("decode-camera", ["--repeat"], "a number from 0 to 86400"),
            ("decode-camera", ["--timeout"], "a number from 0.001 to 31536000"),
            ("scan-outbox", ["list", "--limit"], "a whole number from 1 to 10000000"),
            ("scan-outbox", ["list", "--wait"], "a number from 0 to 86400"),
            ("scan-outbox", ["add", "--window"], "a number from 0.001 to 86400"),
            ("watch-folder", ["x", "--jobs"], "a whole number from 1 to 256"),
            ("watch-folder", ["x", "--settle"], "a number from 0 to 86400"),
            ("watch-folder", ["x", "--poll"], "a number from 0.05 to 86400"),
            ("watch-folder", ["x", "--rescan"], "a number from 0.1 to 86400"),
            ("watch-folder", ["x", "--timeout"], "a number from 0.1 to 86400"),
            ("watch-folder", ["x", "--max-megapixels"], "a number from 0.001 to 4000"),
            ("watch-folder", ["x", "--max-file-megabytes"], "a number from 0.001 to 100000"),
            ("watch-folder", ["x", "--worker-megabytes"], "a whole number from 16 to 1000000"),
            ("scan-station", ["--port"], "a whole number from 0 to 65535"),
            ("scan-station", ["--jobs"], "a whole number from 1 to 256"),
            ("scan-station", ["--replay-rate"], "a number from 0.001 to 60"),
        ] as [(String, [String], String)])
    func numbers(_ name: String, _ arguments: [String], _ limits: String) async throws {
        for number in ["-1", "many", "nan", "1e99"] + (limits.hasPrefix("a whole") ? ["1.5"] : []) {
            let result = try await ProgramRunner.built(name)(arguments + [number])
            #expect(result.ending == .exit(64))
            let option = arguments[arguments.count - 1]
            let line = result.messages.split(separator: "\n").first ?? ""
            #expect(line.contains("'\(number)' is invalid for '\(option) "), "\(line)")
            #expect(line.hasSuffix("it must be \(limits)"), "\(line)")
        }
    }

    /// Every program with a list of symbologies accepts the same names, and rejects others with the same message.
    @Test(
        arguments: [("decode-image", "x"), ("decode-camera", "--list"), ("watch-folder", "x")],
        [
            ("qr_code,rune", "there is no symbology 'rune'; the symbologies are "),
            ("rm4scc", "there is no symbology 'rm4scc'; "),
            (",", "it contains no symbology"), ("", "it contains no symbology"),
        ])
    func symbologies(_ program: (name: String, argument: String), _ list: (text: String, sentence: String)) async throws
    {
        let result = try await ProgramRunner.built(program.name)([program.argument, "--formats", list.text])
        #expect(result.ending == .exit(64))
        let line = result.messages.split(separator: "\n").first ?? ""
        #expect(
            line.hasPrefix("Error: The value '\(list.text)' is invalid for '--formats <names>': \(list.sentence)"),
            "\(line)")
        if list.sentence.hasPrefix("there") {
            #expect(line.hasSuffix((Symbology.all.map(\.rawValue) + ["all"]).joined(separator: ", ")), "\(line)")
        }
    }

    /// Capital letters, spaces and `all`, in every program with such a list.
    @Test(
        arguments: [("decode-image", "x"), ("decode-camera", "--list"), ("watch-folder", "x")],
        ["QR_Code, itf", "all", "ean_2,all"])
    func namesOfSymbologies(_ program: (name: String, argument: String), _ list: String) async throws {
        // A list is validated before an unknown option is reported.
        let arguments = [program.argument, "--formats", list, "--no-such-option"]
        let result = try await ProgramRunner.built(program.name)(arguments)
        #expect(result.messages.hasPrefix("Error: Unknown option '--no-such-option'"), "\(result.messages)")
    }

    /// An unknown command, and the message about it.
    @Test(
        arguments: [
            ("scan-outbox", ["lst"], "there is no command \"lst\"; did you mean \"list\"?"),
            (
                "scan-outbox", ["sned-test", "his"],
                "there is no command \"sned-test\"; did you mean \"send-test\"?"
            ),
            (
                "scan-outbox", ["ls", "--limit", "1"],
                "there is no command \"ls\"; the commands are add, run, status"
            ),
            (
                "scan-outbox", ["frobnicate"],
                "there is no command \"frobnicate\"; the commands are add, run, status"
            ),
            ("watch-folder", ["statsu", "x"], "there is no command \"statsu\"; did you mean \"status\"?"),
            ("watch-folder", ["inbox", "x"], "Error: Unexpected argument 'x'"),
            ("scan-outbox", ["list", "--jobs", "1"], "Error: Unknown option '--jobs'"),
        ] as [(String, [String], String)])
    func commandsThatAreNone(_ name: String, _ arguments: [String], _ sentence: String) async throws {
        let result = try await ProgramRunner.built(name)(arguments)
        #expect(result.ending == .exit(64))
        let line = result.messages.split(separator: "\n").first ?? ""
        let expected = sentence.hasPrefix("Error") ? sentence : "\(name): \(sentence)"
        #expect(line.hasPrefix(expected), "\(line)")
    }
}
