/// Decodes the bytes of a scanner at a serial port, or over a radio link that emulates one, into messages.
///
/// A pure state machine. CR and LF end a message, in either order or alone; empty lines are ignored.
public struct LineScanDecoder: Sendable {
    private var assembler: ScanAssembler

    /// Creates a decoder without input.
    ///
    /// - Parameter framing: the terminator, prefix and suffix of messages.
    public init(framing: ScanFraming = ScanFraming()) {
        assembler = ScanAssembler(framing)
    }

    /// The time of the next call of ``advance(to:)``; `nil` while nothing is pending.
    public var deadline: Duration? { assembler.deadline }

    /// Indicates whether the next input is the beginning of a message.
    public var isReady: Bool { assembler.isReady }

    /// Says that the device may be in the middle of a message.
    ///
    /// Its rest is discarded, unless the device is silent for 150 ms.
    public mutating func join(at time: Duration) { assembler.join(at: time) }

    /// Advances the time, and returns a message that ends with it.
    public mutating func advance(to time: Duration) -> FramedScan? { assembler.advance(to: time) }

    /// Ends the input, because the connection ended.
    public mutating func disconnect() -> FramedScan? { assembler.disconnect() }

    /// Says that input was lost or damaged, so that its message is discarded.
    public mutating func loseInput(at time: Duration) { assembler.loseInput(at: time) }

    /// Handles bytes, and returns the messages that they complete, in order.
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
