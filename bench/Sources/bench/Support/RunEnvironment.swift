internal import BarcodeCore
internal import CBench
internal import Glibc
internal import ImageCodecs
internal import Symbols

/// The context of the figures: machine, versions, commit.
enum RunEnvironment {
    /// Returns the machine, as Linux describes it.
    static func machine() -> Results.Machine {
        let processor = value(of: "model name", in: "/proc/cpuinfo", separator: ":")
        let memory = value(of: "MemTotal", in: "/proc/meminfo", separator: ":")?.split(separator: " ").first
        let system = value(of: "PRETTY_NAME", in: "/etc/os-release", separator: "=")
        var names = utsname()
        uname(&names)
        let architecture = withUnsafePointer(to: &names.machine) {
            $0.withMemoryRebound(to: CChar.self, capacity: 65) { String(cString: $0) }
        }
        return Results.Machine(
            processor: processor ?? "unknown", architecture: architecture, processors: processors,
            memoryMegabytes: (memory.flatMap { Int($0) } ?? 0) * 1024 / 1_000_000,
            system: system?.filter { $0 != "\"" } ?? "unknown")
    }

    /// The number of online processors.
    static var processors: Int {
        max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    /// Returns the versions of the libraries and the compiler.
    static func versions() -> [String: String] {
        var versions = Dictionary(uniqueKeysWithValues: CodecVersions.all.map { ($0.library, $0.version) })
        versions["quietzone"] = Quietzone.version
        versions["zbar"] = ZBarReader.libraryVersion
        versions["libc"] = String(cString: qzb_libc_version())
        versions["swift"] = swiftVersion
        return versions
    }

    /// The version of the compiler in PATH, which `make` has just used for this build.
    static var swiftVersion: String {
        let words = (ChildProcess.text(["swift", "--version"]) ?? "").split { $0 == " " || $0 == "\n" }
        guard let place = words.firstIndex(of: "version"), place + 1 < words.count else { return "unknown" }
        return String(words[place + 1])
    }

    /// Returns the commit of the sources.
    static func commit(root: String) -> Results.Commit {
        let name = ChildProcess.text(["git", "-C", root, "rev-parse", "HEAD"]) ?? "unknown"
        let changed = ChildProcess.text(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"]) ?? ""
        return Results.Commit(name: name, isModified: !changed.isEmpty)
    }

    /// Returns the versions that affect instruction counts, besides the sources.
    static func gateVersions(valgrind: String) -> [String: String] {
        var versions = versions()
        versions["quietzone"] = nil
        versions["architecture"] = machine().architecture
        versions["valgrind"] = ChildProcess.text([valgrind, "--version"]) ?? "unknown"
        return versions
    }

    /// The path of this program.
    static func ownPath() -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        guard count > 0 else { return CommandLine.arguments[0] }
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func value(of name: String, in file: String, separator: Character) -> String? {
        for line in (Files.text(file) ?? "").split(separator: "\n") where line.hasPrefix(name) {
            let parts = line.split(separator: separator, maxSplits: 1)
            if parts.count == 2 { return String(parts[1].drop { $0 == " " || $0 == "\t" }) }
        }
        return nil
    }
}
