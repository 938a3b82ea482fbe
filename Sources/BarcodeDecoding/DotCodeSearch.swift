internal import BarcodeCore
internal import MatrixReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// DotCode symbols by lattices of separate dots, dark ones and light ones.
    static let dotCode = Self(name: "dotCode") { scene, level in
        let binary = scene.binaryImage(atLevel: level)
        // Separate dots first, then such as touch each other.
        for (isInverted, touches) in [(false, false), (true, false), (false, true), (true, true)] {
            let lattices = DotLocator(
                binary, isLight: isInverted, coresOf: touches ? scene.image(atLevel: level) : nil
            ).lattices
            if lattices.isEmpty {
                scene.trace?(
                    .note("No lattice of \(isInverted ? "light" : "dark")\(touches ? ", touching" : "") dots was seen.")
                )
            }
            var failures = 0
            for lattice in lattices where failures < maximumLatticeFailures {
                guard scene.isWorthwhile() else { return }
                let scale = Double(1 << level)
                let place = lattice.corners.scaled(by: scale)
                guard !scene.found.hasMatrixSymbol(at: place.center) else { continue }
                do {
                    let reading = try DotCodeReader().read(
                        scene.image(atLevel: level), map: lattice.map, columns: lattice.columns, rows: lattice.rows,
                        isInverted: isInverted)
                    var symbol = Symbol(reading)
                    symbol.corners = symbol.corners.scaled(by: scale)
                    scene.trace?(
                        .matrixPlace(
                            symbol.corners, wasRead: true,
                            sentence: "read: \(reading.message.size.columns) by \(reading.message.size.rows) places, "
                                + "\(reading.message.correctedCodewords) wrong codewords put right"))
                    scene.found.add(symbol)
                    failures = 0
                } catch {
                    failures += 1
                    scene.trace?(
                        .matrixPlace(place, wasRead: false, sentence: "\(error), \(lattice.count) dots on a lattice"))
                }
            }
        }
    }

    /// Lattices that are tried in vain, one after the other, before the rest is given up.
    private static let maximumLatticeFailures = 16
}
