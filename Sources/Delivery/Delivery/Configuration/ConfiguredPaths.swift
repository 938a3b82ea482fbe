internal import BarcodeCore
internal import Glibc

/// The programs, folders and files that a configuration names.
///
/// They may be installed or mounted later, and a network share may answer slowly, so only an explicit check looks
/// for them.
struct ConfiguredPaths: Sendable {
    /// A program, folder or file to look for.
    enum Kind: Sendable {
        /// A program: a path, or a name in `PATH`.
        case program(String)
        /// A folder that files are written to.
        case folder(String)
        /// A file that is written to, and created if it does not exist.
        case file(String)
    }

    private var all: [(kind: Kind, origin: ConfigurationProblems.Origin, subject: String)] = []

    /// Adds a program, folder or file, with the origin of its name in the configuration.
    mutating func add(_ kind: Kind, _ origin: ConfigurationProblems.Origin, _ subject: String) {
        all.append((kind, origin, subject))
    }

    /// A problem for each that is missing or cannot be written.
    var missing: ConfigurationProblems {
        var problems = ConfigurationProblems()
        for path in all {
            if let problem = path.kind.problem { problems.add(path.origin, "\(path.subject): \(problem)") }
        }
        return problems
    }
}

extension ConfiguredPaths.Kind {
    fileprivate var problem: String? {
        switch self {
        case .program(let program):
            return ProgramSearch.finds(program) ? nil : "there is no program \"\(program)\" that this user can run"
        case .folder(let folder):
            var status = stat()
            guard stat(folder, &status) == 0 else {
                return errno == ENOENT
                    ? "there is no folder \(folder); create it, or mount its share"
                    : "the folder \(folder) cannot be used: \(String(cString: strerror(errno)))"
            }
            return status.st_mode & S_IFMT == S_IFDIR ? nil : "\(folder) is not a folder"
        case .file(let path):
            var status = stat()
            if stat(path, &status) == 0 {
                guard status.st_mode & S_IFMT == S_IFREG else { return "\(path) is not a regular file" }
                return access(path, R_OK | W_OK) == 0
                    ? nil : "the file \(path) cannot be written: \(String(cString: strerror(errno)))"
            }
            let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)].dropLast())
            if let problem = Self.folder(folder.isEmpty ? "/" : folder).problem { return problem }
            return access(folder + "/", W_OK | X_OK) == 0
                ? nil : "no file can be created in \(folder): \(String(cString: strerror(errno)))"
        }
    }
}
