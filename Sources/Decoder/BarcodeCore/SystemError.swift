internal import Glibc

/// A failed system call, as the cause of a more specific error.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failed operation, such as `open`.
    public let operation: String
    /// The error number, `errno`.
    public let number: Int32

    /// Creates an error.
    public init(_ operation: String, errno number: Int32) {
        self.operation = operation
        self.number = number
    }

    /// The system's message, such as `Permission denied`.
    public var reason: String { String(cString: strerror(number)) }

    /// The operation and the system's message, such as `open: Permission denied`.
    public var description: String { "\(operation): \(reason)" }
}
