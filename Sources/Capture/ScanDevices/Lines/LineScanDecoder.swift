/// Makes messages of the bytes that a scan gun sends over a serial port or a radio that plays one.
///
/// A pure state machine. CR and LF end a message, in either order or alone; an empty line is nothing.
public struct LineScanDecoder: Sendable {
    private var assembler: ScanAssembler

    /// A decoder to which nothing has come yet.
    ///
    /// - Parameter framing: how messages end, and what is around them.
    public init(framing: ScanFraming = ScanFraming()) {
        assembler = ScanAssembler(framing)
    }

    /// When ``advance(to:)`` has something to say; nil while nothing waits.
    public var deadline: Duration? { assembler.deadline }

    /// Whether what comes next is no rest of a message whose beginning was not heard.
    public var isReady: Bool { assembler.isReady }

    /// Says that the device may be amid a message, whose beginning was not heard: its rest is discarded, unless it is
    /// silent for a moment.
    public mutating func join(at time: Duration) { assembler.join(at: time) }

    /// Takes that time has passed.
    public mutating func advance(to time: Duration) -> FramedScan? { assembler.advance(to: time) }

    /// Takes the end of the connection.
    public mutating func disconnect() -> FramedScan? { assembler.disconnect() }

    /// Says that part of the input was lost, or arrived damaged: the message that it belongs to is discarded.
    public mutating func loseInput(at time: Duration) { assembler.loseInput(at: time) }

    /// Takes bytes as they have come; returns the messages that they ended, in order.
    public mutating func handle(_ bytes: some Sequence<UInt8>, at time: Duration) -> [FramedScan] {
        var scans: [FramedScan] = []
        for byte in bytes {
            if byte == 0x0D || byte == 0x0A {
                if let scan = assembler.end(at: time) { scans.append(scan) }
            } else {
                assembler.append(byte, at: time)
            }
        }
        return scans
    }
}
