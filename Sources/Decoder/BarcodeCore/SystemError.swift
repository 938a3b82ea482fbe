internal import Glibc

/// A system call that failed: the cause of an error that says what that means.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was being done, such as `open`.
    public let operation: String
    /// The number of the error, `errno`.
    public let number: Int32

    /// The failure of an operation with an error number.
    public init(_ operation: String, errno number: Int32) {
        self.operation = operation
        self.number = number
    }

    /// The operation and the system's words, such as `open: Permission denied`.
    public var description: String { "\(operation): \(String(cString: strerror(number)))" }
}
