/// Why the user's desktop did not do what it was asked for: a sentence that says what to do.
public struct DesktopError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence, without the program's name.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The system has no room for the picture, for a reason.
    public static func notKept(_ reason: String) -> DesktopError {
        DesktopError("the picture could not be kept: \(reason)")
    }
}
