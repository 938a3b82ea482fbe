/// Parses the input of a serial port with marked errors: PARMRK of termios(3).
///
/// FF FF is the byte FF; FF 00 and a byte is a byte with a parity or framing error, or a break.
struct MarkedBytes: Sendable {
    /// A parsed byte or error.
    enum Item: Sendable, Hashable {
        case byte(UInt8)
        case damaged
    }

    private enum State {
        case plain, marked, damaged
    }

    private var state = State.plain

    /// Parses a byte; `nil` within a mark.
    mutating func take(_ byte: UInt8) -> Item? {
        switch state {
        case .plain where byte == 0xFF:
            state = .marked
            return nil
        case .plain: return .byte(byte)
        case .marked:
            state = byte == 0 ? .damaged : .plain
            return byte == 0 ? nil : .byte(byte)
        case .damaged:
            state = .plain
            return .damaged
        }
    }
}
