/// Decodes the codewords of a composite component, each with its confidence, into a message.
enum CompositeDecoder {
    /// A message and the corrections it took.
    struct Contents: Sendable, Hashable {
        var bytes: [UInt8]
        var correctedCodewords: Int
    }

    /// The number of codewords in a group, and the base, one less than PDF417's (ISO/IEC 24723, 9.2).
    private static let groupLength = 7
    private static let base: UInt128 = 928

    /// Decodes a CC-A or, in a size of MicroPDF417, a CC-B, row by row.
    static func decode(
        _ codewords: [Int], confidences: [Float], size: MicroPDF417Size
    ) throws(MatrixDecodeFailure) -> Contents {
        guard MicroPDF417Size.compositeA.contains(size) else {
            let message = try MicroPDF417Decoder.decode(
                codewords, confidences: confidences, size: size, isComposite: true)
            return try contents(BitRow(message.bytes), changes: message.correctedCodewords, "CC-B")
        }
        guard codewords.count == size.codewordCount, confidences.count == codewords.count else {
            throw MatrixDecodeFailure(.badSize, "the number of codewords does not match the size", symbol: "CC-A")
        }
        return try PDF417Decoder.corrected(codewords, confidences, checkCount: size.checkCount, symbol: "CC-A") {
            (whole, correction) throws(MatrixDecodeFailure) in
            try contents(base928: whole[..<(size.codewordCount - size.checkCount)], changes: correction.codewords)
        }
    }

    /// Parses the data codewords of a CC-A.
    static func contents(base928 codewords: ArraySlice<Int>, changes: Int) throws(MatrixDecodeFailure) -> Contents {
        guard let bits = bits(codewords) else {
            throw MatrixDecodeFailure(.badBitStream, "the value of the codewords has too many bits", symbol: "CC-A")
        }
        return try contents(bits, changes: changes, "CC-A")
    }

    /// Parses the message of a CC-C.
    static func contents(_ message: PDF417Message) throws(MatrixDecodeFailure) -> Contents {
        try contents(BitRow(message.bytes), changes: message.correctedCodewords, "CC-C")
    }

    private static func contents(
        _ bits: BitRow, changes: Int, _ symbol: String
    ) throws(MatrixDecodeFailure) -> Contents {
        guard let message = CompositeMessage(bits) else {
            throw MatrixDecodeFailure(.badBitStream, "the bits are not valid element strings", symbol: symbol)
        }
        return Contents(bytes: message.bytes, correctedCodewords: changes)
    }

    /// Returns the bits of codewords in base 928: 69 bits for a group of seven, otherwise ten for each codeword less
    /// one.
    ///
    /// `nil` for a codeword out of range or a number that does not fit into its bits.
    private static func bits(_ codewords: ArraySlice<Int>) -> BitRow? {
        var bits: [Bool] = []
        var rest = codewords
        while !rest.isEmpty {
            let group = rest.prefix(groupLength)
            guard group.allSatisfy({ (0..<928).contains($0) }) else { return nil }
            let number = group.reduce(UInt128(0)) { $0 * base + UInt128($1) }
            let count = 10 * group.count - 1
            guard number >> UInt128(count) == 0 else { return nil }
            bits += (0..<count).map { number >> UInt128(count - 1 - $0) & 1 == 1 }
            rest = rest.dropFirst(groupLength)
        }
        return BitRow(bits)
    }
}
