import Glibc
import TestSupport
import Testing

/// The station's messages about an invalid configuration, before it starts anything.
@Suite(.timeLimit(.minutes(10))) struct StartTests {
    private func station(_ folder: TemporaryFolder, _ configuration: String, _ more: String...) async throws
        -> ProgramResult
    {
        let file = try folder.file("c.yaml", Array(configuration.utf8))
        var runner = ProgramRunner.built("scan-station")
        runner.environment.append("HOME=\(folder.path)")
        return try await runner(["--config", file, "--port", "0", "--camera", "none"] + more)
    }

    /// The lines below `tls:`, the reported line of the file, and the message.
    @Test func filesOfTLS() async throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] {
            let made = try await ProgramRunner(executable: "/usr/bin/openssl")([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-keyout", folder["\(name).key"], "-out", folder["\(name).pem"],
            ])
            try #require(made.ending == .exit(0), "\(made.messages)")
        }
        let (certificate, key) = ("  certificate: \(folder["a.pem"])\n", "  key: \(folder["a.key"])\n")
        let cases = [
            (certificate, "1: tls.key: is missing: TLS needs a certificate and its key"),
            (key, "1: tls.certificate: is missing: TLS needs a certificate and its key"),
            (certificate + "  key: /nowhere\n", "3: tls.key: the file /nowhere does not exist"),
            (
                "  certificate: \(folder.path)\n" + key,
                "2: tls.certificate: \(folder.path) is a folder; give the path of a file"
            ),
            (
                certificate + "  key: \(folder["a.pem"])\n",
                "3: tls.key: the file \(folder["a.pem"]) contains no private key"
            ),
            (
                "  certificate: \(folder["a.key"])\n" + key,
                "2: tls.certificate: the file \(folder["a.key"]) contains no certificate"
            ),
            (certificate + "  key: \(folder["b.key"])\n", "3: tls.key: the key \(folder["b.key"]) does not belong to"),
        ]
        for (lines, sentence) in cases {
            let result = try await station(folder, "tls:\n\(lines)")
            #expect(result.ending == .exit(78), "\(lines)")
            #expect(result.messages.hasPrefix("scan-station: \(folder["c.yaml"]):\(sentence)"), "\(result.messages)")
            #expect(result.messages.split(separator: "\n").count == 1, "\(result.messages)")
        }
        #expect(access(folder[".local"], F_OK) != 0)
    }

    @Test func aRecordingThatIsNotThere() async throws {
        let folder = try TemporaryFolder()
        var runner = ProgramRunner.built("scan-station")
        runner.environment.append("HOME=\(folder.path)")
        let result = try await runner(["--port", "0", "--replay", folder["none.y4m"]])
        #expect(result.ending == .exit(66))
        #expect(
            result.messages
                == "scan-station: the recording \(folder["none.y4m"]) of --replay cannot be read: "
                + "No such file or directory\n")
    }

    /// Each ending has a status that docs/reference/station.md lists.
    @Test(
        arguments: [
            ("a token file that other users can read", ["--token-file", "/tmp"], 1),
            ("an argument", ["--mode", "sometimes"], 64), ("a recording", ["--replay", "/nowhere"], 66),
            ("an address without TLS", ["--address", "0.0.0.0"], 78),
        ] as [(String, [String], Int32)])
    func statusesAreDocumented(_ name: String, _ options: [String], _ status: Int32) async throws {
        let folder = try TemporaryFolder()
        var runner = ProgramRunner.built("scan-station")
        runner.environment.append("HOME=\(folder.path)")
        let result = try await runner(["--port", "0"] + options)
        #expect(result.ending == .exit(status), "\(name): \(result.messages)")
        let page = try #require(readFile("\(ProgramRunner.packageFolder)docs/reference/station.md")).text
        let table = try #require(
            page.split(separator: "| exit status | meaning |\n").last?.split(separator: "\n\n").first)
        #expect(table.contains("\n| \(status) | "), "\(name)")
    }

    @Test func allOfItInOneRun() async throws {
        let folder = try TemporaryFolder()
        let text = """
            server:
              port: 80.5
              origins: ["https://clerk:hush@oa.example", "oa.example"]
              plaintext: yes
            camera:
              mode: sometimes
            jobs: 0
            tlss:
              key: x
            """
        let result = try await station(folder, text)
        #expect(result.ending == .exit(78))
        let file = folder["c.yaml"]
        let lines = result.messages.split(separator: "\n").map { $0.replacing("scan-station: \(file):", with: "") }
        let places: [String] = lines.map { $0.split(separator: ":").prefix(2).joined(separator: ":") }
        let expected: [String] = [
            "2: server.port", "3: server.origins", "3: server.origins", "4: server.plaintext", "6: camera.mode",
            "7: jobs",
            "8: unknown key \"tlss\"; the keys are camera, content, database, deduplication, destinations, devices, jobs, "
                + "keep, lookup, notifications, operators, place, placeCode, server, settingCodes, station, tls",
        ]
        #expect(places == expected)
        #expect(!result.messages.contains("hush"))
    }

    @Test func addressesThatAreNone() async throws {
        let folder = try TemporaryFolder()
        let result = try await station(
            folder, "server:\n  plaintext: \"yes, without TLS\"\n", "--address", "nowhere.invalid")
        // The name may be known once the network is up, so that a restart helps.
        #expect(result.ending == .exit(1))
        #expect(
            result.messages.contains("the address nowhere.invalid to listen at was not found"), "\(result.messages)")
        #expect(!result.messages.contains("Error"))
    }
}
