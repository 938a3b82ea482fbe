/// A failure of the user's desktop to do what was asked, with a sentence that says what to do.
public struct DesktopError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The sentence, without the program's name.
    public let description: String

    init(_ description: String) { self.description = description }

    /// An error for a screenshot that the system has no room to keep.
    public static func notKept(_ reason: String) -> DesktopError {
        DesktopError("the picture could not be saved: \(reason)")
    }
}
