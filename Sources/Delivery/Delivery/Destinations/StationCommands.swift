/// A command for a station that a destination has received.
public enum StationCommand: Sendable, Hashable {
    /// Read one code now: `trigger`.
    case trigger
    /// Switch between continuous and triggered reading: `mode continuous`, `mode trigger`.
    case mode(isContinuous: Bool)
    /// An unknown command; its beginning, for messages.
    case unknown(String)
    /// The broker refused the subscription to commands; the reason as a clause.
    case refused(String)

    /// The maximum length of a command, in bytes.
    static let maximumBytes = 64

    /// Parses the payload of a message.
    init(_ payload: some Collection<UInt8>) {
        let text = String(decoding: payload.prefix(Self.maximumBytes), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        switch payload.count > Self.maximumBytes ? [] : words {
        case ["trigger"]: self = .trigger
        case ["mode", "continuous"]: self = .mode(isContinuous: true)
        case ["mode", "trigger"]: self = .mode(isContinuous: false)
        default: self = .unknown(text)
        }
    }
}

/// The commands received by the destinations of a program.
public final class StationCommands: Sendable {
    /// The maximum number of waiting commands; further ones are dropped.
    private static let maximumWaiting = 8

    private let output: AsyncStream<StationCommand>.Continuation
    /// The commands, for a single consumer.
    ///
    /// Commands that arrive while the buffer is full are dropped.
    public let stream: AsyncStream<StationCommand>

    /// Creates an empty queue of commands.
    public init() {
        (stream, output) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    func take(_ command: StationCommand) { output.yield(command) }
}
