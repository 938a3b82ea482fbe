internal import Glibc

/// Finds the end of a JPEG whose bytes arrive in pieces, by its markers (ITU-T T.81, Annex B).
///
/// The end marker alone is not enough: a thumbnail within the JPEG has one too.
struct JPEGScanner: Sendable {
    /// The outcome for the bytes so far.
    enum Outcome: Sendable, Hashable {
        /// The end is not among them.
        case incomplete
        /// The JPEG has this many bytes.
        case complete(Int)
        /// The bytes from this offset on do not belong to a JPEG; another one may begin there.
        case broken(Int)
    }

    /// The offset of the next byte to look at: a marker, or a byte of a scan.
    private var position = 2
    private var isInScan = false

    /// Continues with all bytes of the JPEG so far, the first of which are its start marker.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            if isInScan {
                guard findMarker(bytes) else { return .incomplete }
                isInScan = false
            }
            guard position + 1 < bytes.count else { return .incomplete }
            guard bytes[position] == 0xFF else { return .broken(position) }
            switch bytes[position + 1] {
            case 0xFF: position += 1
            case 0xD9: return .complete(position + 2)
            case 0x00, 0xD8: return .broken(position)
            case 0x01, 0xD0...0xD7: position += 2
            case let marker:
                guard position + 3 < bytes.count else { return .incomplete }
                let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
                guard length >= 2 else { return .broken(position + 2) }
                isInScan = marker == 0xDA
                position += 2 + length
            }
        }
    }

    /// Moves to the next marker after a scan; false if it is not among the bytes.
    private mutating func findMarker(_ bytes: UnsafeRawBufferPointer) -> Bool {
        while position + 1 < bytes.count, let base = bytes.baseAddress {
            guard let found = memchr(base + position, 0xFF, bytes.count - position) else {
                position = bytes.count
                return false
            }
            position = UnsafeRawPointer(found) - base
            guard position + 1 < bytes.count else { return false }
            switch bytes[position + 1] {
            // A stuffed byte, or a restart marker.
            case 0x00, 0xD0...0xD7: position += 2
            case 0xFF: position += 1
            default: return true
            }
        }
        return false
    }
}
