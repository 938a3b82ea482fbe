internal import BarcodeCore

/// The header of a Netpbm image, and the tokens of a plain one.
///
/// Source: the pages pbm(5), pgm(5) and ppm(5) of Netpbm.
struct PNMHeader {
    /// The kind of pixels and their encoding.
    struct Kind {
        var channels: Int
        var isPlain: Bool
        var isBitmap: Bool
    }

    var kind: Kind
    var width: Int
    var height: Int
    /// The value of white; 1 for a bitmap.
    var maximum: Int
    /// The offset of the pixels in bytes.
    var start: Int

    /// Indicates whether a file begins like one of the six kinds: `P`, its number and a delimiter.
    static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 2 && bytes[0] == UInt8(ascii: "P") && (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(bytes[1])
            && (isSpace(bytes[2]) || bytes[2] == UInt8(ascii: "#"))
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
        let digit = Int(bytes[1]) - Int(UInt8(ascii: "0"))
        let isBitmap = digit == 1 || digit == 4
        kind = Kind(channels: digit == 3 || digit == 6 ? 3 : 1, isPlain: digit <= 3, isBitmap: isBitmap)
        var tokens = PNMTokens(bytes, from: 2)
        width = try tokens.headerNumber()
        height = try tokens.headerNumber()
        maximum = isBitmap ? 1 : try tokens.headerNumber()
        guard (1...65535).contains(maximum) else {
            throw DecodeError(.corrupt, "is a PNM with the maximum value \(maximum); it must be 1 to 65535")
        }
        // A single white space precedes the pixels of a raw image.
        start = tokens.position + 1
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

/// Reads numbers between white space and comments.
struct PNMTokens {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the first unread byte.
    private(set) var position: Int

    /// Creates a reader of the tokens from `start` on.
    init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Reads the next number; `nil` at the end of the bytes or at any other token.
    ///
    /// A number of more than nine digits counts as 999,999,999, which is above every limit of the format.
    mutating func number() -> Int? {
        skipSpace()
        let start = position
        var value = 0
        while position < bytes.count, let digit = Self.digit(bytes[position]) {
            value = min(value * 10 + digit, 999_999_999)
            position += 1
        }
        return position > start ? value : nil
    }

    /// Reads the next digit of a plain bitmap, whose digits need no delimiter.
    mutating func bit() -> Int? {
        skipSpace()
        guard position < bytes.count, let digit = Self.digit(bytes[position]), digit <= 1 else { return nil }
        position += 1
        return digit
    }

    /// Reads a required number of the header.
    fileprivate mutating func headerNumber() throws(DecodeError) -> Int {
        guard let value = number() else {
            if position >= bytes.count { throw .nothingDecoded(cutOff: true) }
            throw DecodeError(.corrupt, "is a PNM with a broken header (a number is missing)")
        }
        guard value < 999_999_999 else {
            throw DecodeError(.tooLarge, "is a PNM with a number in its header that is too large")
        }
        return value
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "#") {
                while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
            } else if PNMHeader.isSpace(bytes[position]) {
                position += 1
            } else {
                return
            }
        }
    }

    private static func digit(_ byte: UInt8) -> Int? {
        (0x30...0x39).contains(byte) ? Int(byte) - 0x30 : nil
    }
}
