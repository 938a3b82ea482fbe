import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Delivery

/// A certificate for tests that only need a file with one.
enum TestCertificate {
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBiTCCAS+gAwIBAgIUeXDoBJKXstLHXSyaMbl86vPT73wwCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMjEyOTE3WhgPMjEy
        NjEwMjgyMTI5MTdaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAEn7X55IetrCgbZWO0FAhOadXGgaXl9harpb26fErT
        nmcm/v8m9QbTll/DSDhlVYt205Ot17AztahaFtvhXU2q4qNTMFEwHQYDVR0OBBYE
        FPZtcWdJeq1CzJW7ow7Bj5mlcVCNMB8GA1UdIwQYMBaAFPZtcWdJeq1CzJW7ow7B
        j5mlcVCNMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOEmW6IR
        4A3MmAnOTUR5s7puC76cPD+4m5QDmEP7nL/AAiBuQr3AZgu7SPOKp2HXNe/AaPUu
        xSBABfmIf0nPJP/t/g==
        -----END CERTIFICATE-----

        """
}

/// All faults are reported in one run with their location, and without any secret.
@Suite struct ConfigurationFaultTests {
    private func faults(
        _ path: String, environment: [String: String] = [:], overrides: [String: String] = [:]
    ) async -> [String] {
        do {
            _ = try await DeliveryConfiguration.load(
                path: path, schema: ConfigurationSchema(variablePrefix: "SCAN_OUTBOX"), overrides: overrides,
                environment: environment, defaultDatabase: "/default"
            ) { _ in }
            return []
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    /// Returns the faults of a text, without the path of its file.
    private func faults(
        of text: String, environment: [String: String] = [:], overrides: [String: String] = [:]
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        let path = try folder.file("c.yaml", text)
        return await faults(path, environment: environment, overrides: overrides)
            .map { $0.replacing(folder.path + "/", with: "") }
    }

    @Test("A folder of signing keys that cannot be used is a fault with the reason")
    func signingKeys() async throws {
        let samples = ProgramRunner.samplesFolder
        #expect(try await faults(of: "content:\n  keys: \(samples)seal-keys\n").isEmpty)
        #expect(
            try await faults(of: "content: {keys: /nowhere}\n") == [
                "c.yaml:1: content.keys: The folder of keys /nowhere cannot be read: No such file or directory."
            ])
        #expect(try await faults(of: "content: {keys: \(samples)}\n").first?.contains("README.md is neither") == true)
    }

    @Test func allOfItInOneRunInTheOrderOfTheLines() async throws {
        let text = """
            staton: x
            keep: 3
            destinations:
              his:
                type: http
                url: ftp://h
                secretFile: /nowhere
                timeoutSeconds: [1, 2]
              lines:
                type: [stdout]
              orders:
                type: command
                form: template
            """
        let found = try await faults(
            of: text, environment: ["SCAN_OUTBOX_STATON": "x"], overrides: ["keep.days": "soon", "jobs": "1"])
        #expect(
            found == [
                "--set: unknown key \"jobs\"", "--set: keep.days: \"soon\" is not a number from 0.001 to 36500",
                "the environment: SCAN_OUTBOX_STATON matches no key of the configuration",
                "c.yaml:1: unknown key \"staton\"; the keys are content, database, deduplication, destinations, keep, station",
                "c.yaml:2: \"keep\" needs keys, indented below it, instead of a value",
                "c.yaml:6: destinations.his.url: is not an http or https URL, such as https://receiver.example/scans",
                "c.yaml:7: destinations.his.secretFile: the file /nowhere does not exist",
                "c.yaml:8: \"destinations.his.timeoutSeconds\" must be one value, not a list",
                "c.yaml:10: \"destinations.lines.type\" must be one value, not a list",
                "c.yaml:11: destinations.orders.template: is missing: the form \"template\" needs a template of the "
                    + "JSON to send",
                "c.yaml:11: destinations.orders.command: is missing: the program and its arguments, a list",
            ])
    }

    /// A key, its value, and the type of the destination that has it; also tested by the environment.
    @Test(
        arguments: [
            ("url", "http://h", "stdout", "http"), ("url", "http://h", "command", "http"),
            ("secretFile", "/nowhere", "stdout", "http"), ("secretEnvironment", "X", "command", "http"),
            ("unsigned", "true", "stdout", "http"), ("certificateAuthorities", "/nowhere", "command", "http or mqtt"),
            ("address", "10.0.0.1", "stdout", "http"), ("allowPrivateAddress", "true", "command", "http"),
            ("command", "[cat]", "stdout", "command"), ("command", "[cat]", "http", "command"),
        ])
    func keysThatMeanNothing(_ key: String, _ value: String, _ type: String, _ owner: String) async throws {
        let needed = ["http": "    url: http://h\n    unsigned: true\n", "command": "    command: [cat]\n"]
        let text = "destinations:\n  a:\n    type: \(type)\n\(needed[type] ?? "")"
        #expect(try await faults(of: text).isEmpty)
        let sentence = "destinations.a.\(key): does not apply to the type \(type); it belongs to \(owner)"
        let line = text.split(separator: "\n").count + 1
        #expect(try await faults(of: text + "    \(key): \(value)\n") == ["c.yaml:\(line): \(sentence)"])
        let name = key.reduce(into: "SCAN_OUTBOX_DESTINATIONS_A_") {
            $0 += ($1.isUppercase ? "_" : "") + $1.uppercased()
        }
        #expect(try await faults(of: text, environment: [name: value]) == ["the environment, \(name): \(sentence)"])
    }

    /// A misplaced or invalid value that may contain a password.
    @Test(
        arguments: [
            "    url: http://clerk:hush@his.example/", "    url: https://clerk:hush@his.example:x/",
            "    url: clerk:hush@his.example", "    url: http://his.example/?key=hush#x",
            "    url: http://h\n    address: http://clerk:hush@h", "    url: http://h\n    http://clerk:hush@h: x",
            "    url: http://h\n    form: https://clerk:hu/sh@h", "    url: http://h\n    secretFile: whsec_hush",
            "    url: http://h\n    secretEnvironment: whsec_hush",
            "    url: http://h\n    concurrency: clerk:hush@h",
            "    url: http://h\n    textMatches: (http://clerk:hush@h",
        ])
    func nothingSecretIsRepeated(_ lines: String) async throws {
        let found = try await faults(of: "destinations:\n  a:\n    type: http\n    unsigned: true\n\(lines)\n")
        #expect(!found.isEmpty)
        for line in found { #expect(!line.contains("hush") && !line.contains("hu/sh"), "\(line)") }
        let set = try await faults(
            of: "station: a\n", overrides: ["http://clerk:hush@h": "x", "keep.days": "http://clerk:hush@h"])
        #expect(set.count == 2)
        for line in set { #expect(!line.contains("hush"), "\(line)") }
    }

    @Test func filesThatAreNone() async throws {
        let folder = try TemporaryFolder()
        let large = try folder.file("large.yaml", "# " + String(repeating: "x", count: 1 << 20) + "\n")
        let latin = folder["latin.yaml"]
        try Data([0x61, 0x3A, 0x20, 0xE9, 0x0A]).write(to: URL(filePath: latin))
        #expect(
            await faults(folder["none.yaml"]) == ["the configuration: the file \(folder["none.yaml"]) does not exist"])
        #expect(await faults(large + "/c") == ["the configuration: the file \(large)/c does not exist"])
        #expect(await faults(folder.path) == ["the configuration: \(folder.path) is a folder; give the path of a file"])
        #expect(await faults(large) == ["the configuration: the file \(large) is larger than 1 MiB"])
        #expect(await faults("/dev/zero") == ["the configuration: the file /dev/zero is larger than 1 MiB"])
        #expect(await faults(latin) == ["the configuration \(latin) is not UTF-8; save it as UTF-8"])
        #expect(await faults("/proc/self/mem").first?.contains("cannot be read: ") == true)
    }

    /// A fault of the file that a key names.
    @Test(arguments: ["secretFile", "certificateAuthorities"])
    func filesThatKeysName(_ key: String) async throws {
        let folder = try TemporaryFolder()
        let (empty, words) = (try folder.file("empty", ""), try folder.file("words", "no such thing\n"))
        let isSecret = key == "secretFile"
        let cases = [
            (folder["none"], "the file \(folder["none"]) does not exist"),
            (folder.path, "\(folder.path) is a folder; give the path of a file"),
            (empty, isSecret ? "contains no secret" : "the file \(empty) contains no certificate in PEM"),
            (words, isSecret ? "is not a secret" : "the file \(words) contains no certificate in PEM"),
            ("/dev/zero", "the file /dev/zero is larger than 1 MiB"),
        ]
        for (path, sentence) in cases {
            let found = try await faults(
                of: "destinations:\n  a:\n    type: http\n    url: http://h\n"
                    + (isSecret ? "" : "    unsigned: true\n") + "    \(key): \(path)\n")
            #expect(!found.isEmpty)
            for line in found {
                #expect(line.hasPrefix("c.yaml:\(isSecret ? 5 : 6): destinations.a.\(key): "), "\(line)")
                #expect(line.contains(sentence), "\(line)")
            }
        }
    }

    private static let bomb: String = {
        let letters = Array("abcdefghijklmnop")
        let lines = zip(letters.dropFirst(), letters).map { name, above in
            "\(name): &\(name) [" + (0..<10).map { _ in "*\(above)" }.joined(separator: ", ") + "]\n"
        }
        return "station: &a x\n" + lines.joined()
    }()

    @Test(
        arguments: [
            // The file, and its only fault; `nil` if it is valid.
            ("", nil), ("\u{FEFF}station: a\n", nil), ("# only a comment\n", nil), ("---\n", nil), ("~\n", nil),
            ("formats: &f [qr_code]\n", "c.yaml:1: unknown key \"formats\""),
            (
                "destinations:\n  a: &a\n    type: stdout\n    formats: &f [qr_code]\n  b:\n    type: stdout\n"
                    + "    formats: *f\n", nil
            ),
            ("keep:\n\tdays: 3\n", "c.yaml:2: not valid YAML"),
            (
                "station: a\nkeep:\n  days: 1\n  events: 2\n  # days: 3\n  days: 4\n",
                "c.yaml:6: the key \"days\" appears twice, first in line 3"
            ),
            ("station: a\r\n\"station\": b\r\n", "c.yaml:2: the key \"station\" appears twice, first in line 1"),
            ("keep: {days: 1, days: 2}\n", "c.yaml:1: the key \"days\" appears twice, first in line 1"),
            ("station: \"ward\\u001b3\"\n", "c.yaml:1: station: contains a control character"),
            ("station: ''\n", "c.yaml:1: \"station\" has no value"), ("station: null\n", "has no value"),
            ("station: 'null'\n", nil),
            ("keep:\n  events: 1.5\n", "c.yaml:2: keep.events: \"1.5\" is not a whole number"),
            (
                "destinations:\n  a:\n    type: stdout\n    formats: []\n",
                "c.yaml:4: \"destinations.a.formats\" is an empty list"
            ),
            (
                "destinations:\n  a:\n    type: http\n    url: http://h\n    unsigned: True\n", nil
            ),
            (
                "destinations:\n  a:\n    type: http\n    url: http://h\n    unsigned: yes\n",
                "c.yaml:5: destinations.a.unsigned: \"yes\" is not true or false"
            ),
            (
                "destinations:\n  a:\n    type: stdout\n    template: /etc/shape.json\n",
                "c.yaml:4: destinations.a.template: is the name of a file; put the JSON itself here"
            ),
            (String(repeating: "[", count: 100_000), "c.yaml:1: not valid YAML"),
            // Each line is ten times the previous one; keys that are not read cost nothing.
            (bomb, "c.yaml:2: unknown key \"b\""),
        ] as [(String, String?)])
    func oddFiles(_ text: String, _ sentence: String?) async throws {
        let found = try await faults(of: text)
        if let sentence {
            #expect(found.contains { $0.contains(sentence) }, "\(found)")
        } else {
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func aVariableThatStandsForTwoKeys() async throws {
        let text = "destinations:\n  a-b:\n    type: stdout\n  a_b:\n    type: stdout\n"
        #expect(try await faults(of: text).isEmpty)
        let name = "SCAN_OUTBOX_DESTINATIONS_A_B_FORM"
        #expect(
            try await faults(of: text, environment: [name: "event"]) == [
                "the environment: \(name) sets both destinations.a-b.form and destinations.a_b.form; rename one of them"
            ])
    }

    @Test func valuesThatAreEmptyElsewhere() async throws {
        let found = try await faults(
            of: "station: a\n", environment: ["SCAN_OUTBOX_KEEP_DAYS": ""], overrides: ["station": ""])
        #expect(
            found == [
                "--set: station: has no value",
                "the environment, SCAN_OUTBOX_KEEP_DAYS: keep.days: has no value",
            ])
    }

    @Test(
        arguments: [
            ("HTTP://LOCALHOST:8080/Scans?A=B", "http://localhost:8080/Scans?A=B", "localhost", 8080, false),
            ("hTTps://His.Example", "https://his.example", "his.example", 443, true),
            ("http://[FE80::1]/", "http://[fe80::1]/", "fe80::1", 80, false),
        ])
    func letterCaseOfURLs(
        _ url: String, _ normalized: String, _ host: String, _ port: Int, _ isSecure: Bool
    ) async throws {
        let receiver = try HTTPReceiver(url: url)
        #expect(receiver.url == normalized)
        #expect((receiver.host, receiver.port, receiver.isSecure) == (host, port, isSecure))
        // The machine's own name needs no permission, however it is written.
        if host == "localhost" { #expect(try await AddressPin.address(for: receiver) == "localhost") }
    }
}
