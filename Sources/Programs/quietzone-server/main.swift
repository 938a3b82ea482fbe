// The server programs in one executable: each alone would be three quarters server, database and runtime, which
// they share here. It is installed once and hard-linked under the programs' names, and acts as the program by whose
// name it was started.
internal import Glibc
internal import ServerCommands
internal import SystemPackage

let name = CommandLine.arguments.first.flatMap { $0.split(separator: "/").last } ?? ""
guard let program = ServerProgram(rawValue: String(name)) else {
    _ = try? FileDescriptor.standardError.writeAll(
        """
        \(name): contains scan-devices, scan-outbox, scan-station and watch-folder; start it by one of these names, \
        through a hard link

        """.utf8)
    exit(EX_USAGE)
}
program.prepare()
await program.run()
