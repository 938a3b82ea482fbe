/// The properties that all symbols of a message share, if it is spread over several (structured append).
package struct SplitMessage: Sendable, Hashable {
    /// The symbology.
    package let symbology: Symbology
    /// The number of symbols; `nil` if unknown, or if not every symbol of the symbology states it.
    package let count: Int?
    /// The parity; `nil` if there is none.
    package let parity: Int?
    /// The identifier; `nil` if there is none.
    package let identifier: String?

    /// The largest number of symbols in a message of any symbology, that of macro PDF417 (ISO/IEC 15438).
    ///
    /// A hostile symbol may state any number.
    private static let maximumCount = 99_999

    /// Creates the properties from those of one symbol; `nil` for an index or a number that no symbology allows.
    package init?(_ symbology: Symbology, index: Int, count: Int?, parity: Int?, identifier: String?) {
        guard (0..<Self.maximumCount).contains(index), (0...Self.maximumCount).contains(count ?? 0) else { return nil }
        (self.symbology, self.parity, self.identifier) = (symbology, parity, identifier)
        self.count = [.pdf417, .microPDF417].contains(symbology) ? nil : count
    }
}
