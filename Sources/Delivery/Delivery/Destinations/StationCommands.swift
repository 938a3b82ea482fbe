/// What a destination hears that a station is to do.
public enum StationCommand: Sendable, Hashable {
    /// To read a code now: `trigger`.
    case trigger
    /// To read codes as they come, or on demand alone: `mode continuous`, `mode trigger`.
    case mode(isContinuous: Bool)
    /// Something else; the beginning of it, for people.
    case unknown(String)
    /// There are no commands, since the broker does not allow to listen to them; a clause.
    case refused(String)

    /// The longest command, in bytes.
    static let maximumBytes = 64

    /// The command that a message spells.
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

/// The commands that the destinations of a program hear.
public final class StationCommands: Sendable {
    /// The most that wait; who sends more than are done is not followed.
    private static let maximumWaiting = 8

    private let output: AsyncStream<StationCommand>.Continuation
    /// The commands, for one task; what comes while too many wait is left out.
    public let stream: AsyncStream<StationCommand>

    /// None yet.
    public init() {
        (stream, output) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    func take(_ command: StationCommand) { output.yield(command) }
}
