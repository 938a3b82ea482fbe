internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds DotCode symbols by lattices of separate dots, dark and light.
    static let dotCode = Self(
        name: "dotCode", title: "DotCode symbols by lattices of dots", symbologies: [.dotCode]
    ) { state, level in
        let binary = state.binaryImage(atLevel: level)
        // Separate dots first, then touching ones.
        for (isInverted, touches) in [(false, false), (true, false), (false, true), (true, true)] {
            let lattices = DotLocator(
                binary, isLight: isInverted, coresOf: touches ? state.image(atLevel: level) : nil
            ).lattices
            if lattices.isEmpty {
                state.trace?(
                    .note(
                        "No lattice of \(isInverted ? "light" : "dark")\(touches ? ", touching" : "") dots was found.")
                )
            }
            // The dots are read at the level at which they were seen.
            state.readCandidates(
                lattices, atLevel: level, limit: .inARow(16), smallestModule: nil, outline: { ($0.corners, 1) }
            ) { image, lattice, _ throws(MatrixDecodeFailure) in
                let reading = try DotCodeReader().read(
                    image, map: lattice.map, columns: lattice.columns, rows: lattice.rows, isInverted: isInverted)
                let message = reading.message
                return CandidateReading(
                    symbol: Symbol(reading),
                    sentence: "read: \(message.size.columns) by \(message.size.rows) positions, "
                        + "\(message.correctedCodewords) codewords corrected")
            }
        }
    }
}
