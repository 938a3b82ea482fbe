import Glibc
import TestSupport
import Testing

extension ProgramTests {
    /// The scripts that gate a build.
    @Suite struct ScriptTests {
        /// A machine without the camera's virtual machine skips that test, but fails it in CI.
        @Test(
            arguments: [
                ("at home", [], 0), ("in CI", ["CI=true"], 1), ("in CI of another name for true", ["CI=1"], 1),
                ("CI that is off", ["CI=false"], 0), ("required", ["QUIETZONE_VM=required"], 1),
                ("in CI, and not needed", ["CI=true", "QUIETZONE_VM=optional"], 0),
            ] as [(String, [String], Int32)])
        func theCameraOnAMachineThatCannot(_ label: String, _ variables: [String], _ status: Int32) async throws {
            let folder = try TemporaryFolder()
            let uname = try folder.file("uname", Array("#!/bin/sh\necho riscv64\n".utf8))
            _ = try ProgramRunner(executable: "/bin/chmod").run(["755", uname])
            var runner = ProgramRunner(executable: ProgramRunner.packageFolder + "scripts/test-vm")
            runner.environment = ["HOME=\(folder.path)", "PATH=\(folder.path):/usr/bin:/bin"] + variables
            let result = try await runner([])
            #expect(result.ending == .exit(status), "\(result.text)\(result.messages)")
            #expect((result.text + result.messages).contains("riscv64"))
        }

        /// A database that knows one vulnerability, which stands on the second page of its answer.
        @Test func vulnerabilitiesOfPackagesAreListed() async throws {
            let folder = ProgramRunner.packageFolder
            let (result, asked) = try await onThread {
                let database = try ProgramRunner(executable: "/usr/bin/python3").start([
                    folder + "Tests/ProgramTests/ImageProgram/Support/vulnerability_database.py"
                ])
                defer { database.signal(SIGKILL) }
                let address = try #require(database.line())
                let result = try ProgramRunner(executable: folder + "scripts/list-vulnerabilities").run([
                    "--database", address,
                ])
                return (result, database.line())
            }
            #expect(result.ending == .exit(1), "\(result.text)\(result.messages)")
            #expect(result.lines.count == 2)
            #expect(result.lines.first?.contains("swift-nio 2.") == true)
            #expect(result.lines.first?.hasSuffix(": GHSA-1, CVE-1: it reads too much") == true)
            #expect(result.lines.last?.hasPrefix("1 of ") == true)
            // The sources of the system's libraries are asked for too.
            let names = try #require(asked).split(separator: " ")
            #expect(names.contains("github.com/groue/GRDB.swift") && names.contains("zbar"))
        }

        @Test func aDatabaseThatIsNotThereIsNoGoodNews() async throws {
            let script = ProgramRunner(executable: ProgramRunner.packageFolder + "scripts/list-vulnerabilities")
            let result = try await script(["--database", "http://127.0.0.1:1"])
            #expect(result.ending == .exit(2))
            #expect(result.output.isEmpty)
            #expect(result.messages.contains("could not ask http://127.0.0.1:1"))
        }
    }
}
