import Glibc

/// The result of a check of the machine.
struct Finding: Encodable {
    enum State: String, Encodable {
        /// No problem.
        case ok
        /// It works, but with limitations.
        case warning
        /// The station does not start, or does not do what is configured.
        case fault
    }

    /// The checked area, in a word or two.
    var area: String
    var state: State
    /// The result, for people.
    var message: String
    /// The command or change that fixes the problem; `nil` if there is none.
    var remedy: String?

    static func ok(_ area: String, _ message: String) -> Finding {
        Finding(area: area, state: .ok, message: message)
    }

    static func warning(_ area: String, _ message: String, remedy: String) -> Finding {
        Finding(area: area, state: .warning, message: message, remedy: remedy)
    }

    static func fault(_ area: String, _ message: String, remedy: String) -> Finding {
        Finding(area: area, state: .fault, message: message, remedy: remedy)
    }
}

/// The user who runs the program.
enum User {
    /// The user name, or the user number if it has no name.
    static var name: String {
        guard let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name else { return "\(geteuid())" }
        return String(cString: name)
    }
}
