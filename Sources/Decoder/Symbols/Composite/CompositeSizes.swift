extension MicroPDF417Size {
    /// The sizes of a CC-A (ISO/IEC 24723, tables 9 to 11): MicroPDF417 with different row address patterns.
    ///
    /// Sizes of three columns have no pattern at the left.
    static let compositeA: [MicroPDF417Size] = [
        .init(2, 5, 4, 39, 0, 19), .init(2, 6, 4, 1, 0, 33), .init(2, 7, 5, 32, 0, 12), .init(2, 8, 5, 8, 0, 40),
        .init(2, 9, 6, 14, 0, 46), .init(2, 10, 6, 43, 0, 23), .init(2, 12, 7, 20, 0, 52),
        .init(3, 4, 4, 11, 43, 23, isOpen: true), .init(3, 5, 5, 1, 33, 13, isOpen: true),
        .init(3, 6, 6, 5, 37, 17, isOpen: true), .init(3, 7, 7, 15, 47, 27, isOpen: true),
        .init(3, 8, 7, 21, 1, 33, isOpen: true),
        .init(4, 3, 4, 40, 20, 52), .init(4, 4, 5, 43, 23, 3), .init(4, 5, 6, 46, 26, 6), .init(4, 6, 7, 34, 14, 46),
        .init(4, 7, 8, 29, 9, 41),
    ]

    /// The width of a row in modules.
    var width: Int { (partsBefore + parts).reduce(RowAddressPatterns.width + 1) { $0 + $1.width } }
}
