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
    }
}
