/// A row of bits, most significant first.
package struct BitRow: Sendable, Hashable {
    private let bits: [Bool]

    /// Creates a row from bits.
    package init(_ bits: [Bool]) {
        self.bits = bits
    }

    /// Creates a row from characters of twelve bits, as in DataBar Expanded.
    package init(_ values: [Int]) {
        bits = values.flatMap { value in (0..<12).map { value >> (11 - $0) & 1 == 1 } }
    }

    /// Creates a row from bytes.
    package init(_ bytes: [UInt8]) {
        bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    }

    /// The number of bits.
    package var count: Int { bits.count }

    /// The bit at an index; false beyond the end.
    package subscript(place: Int) -> Bool { bits.indices.contains(place) && bits[place] }

    /// The number in `length` bits from an index, most significant first; `nil` if there are fewer bits.
    package func number(_ place: Int, _ length: Int) -> Int? {
        guard place >= 0, place + length <= bits.count else { return nil }
        return bits[place..<place + length].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }
    }
}
