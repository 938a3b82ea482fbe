internal import Glibc

/// Looks up executable programs.
public enum ProgramSearch {
    /// Indicates whether this user can run a program: a path with a slash, or a name in one of the folders of
    /// `PATH`.
    public static func finds(_ program: String) -> Bool {
        if program.contains("/") { return isProgram(program) }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").contains { isProgram("\($0)/\(program)") }
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
