import Glibc

/// What a check of the machine came to.
struct Finding: Encodable {
    enum State: String, Encodable {
        /// As it should be.
        case ok
        /// It works, but not all of it.
        case warning
        /// The station does not start, or does not do what the configuration asks for.
        case fault
    }

    /// What was checked, in a word or two.
    var area: String
    var state: State
    /// What was found.
    var message: String
    /// The command or the change that mends it; nil where nothing has to be.
    var remedy: String?

    static func ok(_ area: String, _ message: String) -> Finding {
        Finding(area: area, state: .ok, message: message)
    }

    static func warning(_ area: String, _ message: String, mend remedy: String) -> Finding {
        Finding(area: area, state: .warning, message: message, remedy: remedy)
    }

    static func fault(_ area: String, _ message: String, mend remedy: String) -> Finding {
        Finding(area: area, state: .fault, message: message, remedy: remedy)
    }
}

/// Who runs the program.
enum User {
    /// The name, or the number where there is none.
    static var name: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "\(geteuid())" }
        return String(cString: name)
    }
}
