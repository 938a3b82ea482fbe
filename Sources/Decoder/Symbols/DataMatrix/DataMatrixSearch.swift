internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds Data Matrix symbols by two solid sides that meet and two dotted ones.
    static let dataMatrix = Self(
        name: "dataMatrix", title: "Data Matrix symbols by two solid sides", symbologies: [.dataMatrix]
    ) { state, level in
        readDataMatrix(&state, level, state.binaryImage(atLevel: level))
    }

    /// Finds symbols of separate dots, as in dot peening or inkjet: if modules are a few pixels, dots dilated by a
    /// pixel on each side touch.
    static let dataMatrixDots = Self(
        name: "dataMatrixDots", title: "Data Matrix symbols of separate dots", symbologies: [.dataMatrix]
    ) { state, level in
        for isDark in [true, false] {
            let widened = state.image(atLevel: level).widened(isDark: isDark)
            readDataMatrix(&state, level, BinaryImage(widened), in: widened)
        }
    }

    /// The number of failed candidates in a row after which a pyramid level is given up.
    private static let maximumFailures = FailureLimit.inARow(60)
    /// The number of failed candidates that are tried again as symbols with uneven modules.
    private static let unevenPerLevel = 8
    /// The same for bent sides, which takes longer.
    private static let bentPerLevel = 2
    /// The tolerance in pixels of the corners of a decoded symbol.
    private static let edgeMargin = 3.0
    private static let reader = DataMatrixReader(maximumAttempts: 24)

    /// Finds symbols in a binary image and reads them.
    ///
    /// - Parameter picture: the picture to sample; `nil` for the state's own, at a higher resolution the smaller the
    ///   modules.
    private static func readDataMatrix(
        _ state: inout SearchState, _ level: Int, _ binary: BinaryImage, in picture: LumaImage? = nil
    ) {
        // The outer edges of a symbol belong to it too.
        let scale = Double(1 << level)
        let taken = state.found.symbols.map { $0.corners.scaled(by: 1 / scale).enlarged(by: edgeMargin) }
        // A candidate that failed before fails again with the thresholds for shadows.
        let known = state.threshold == .shadow ? state.unreadDataMatrix[level] ?? [] : []
        let places = DataMatrixLocator(binary, taken: taken).candidates.filter { place in
            !known.contains { $0.isTwin(of: place.corners, within: place.moduleSize) }
        }
        state.trace?(
            .note(
                places.isEmpty
                    ? "No Data Matrix was found: two solid sides that meet, and two dotted sides opposite to them."
                    : "\(places.count) candidate\(places.count == 1 ? "" : "s") with two solid and two dotted sides."
            ))
        var failed: [(place: DataMatrixLocator.Candidate, code: MatrixDecodeFailure.Code)] = []
        func read(_ places: [DataMatrixLocator.Candidate], as shape: DataMatrixReader.Shape) {
            state.readCandidates(
                places, atLevel: level, limit: maximumFailures, smallestModule: picture == nil ? 3 : nil,
                outline: { ($0.corners, $0.moduleSize) }, picture: { picture ?? $0.image(atLevel: $1) },
                read: { image, place, factor throws(MatrixDecodeFailure) in
                    let reading = try reader.read(
                        image, solidCorners: place.corners.scaled(by: factor), columns: place.columns, rows: place.rows,
                        isInverted: place.isInverted, shape: shape)
                    let message = reading.message
                    return CandidateReading(
                        symbol: Symbol(reading),
                        sentence: "read: \(message.size.columns) by \(message.size.rows) modules, "
                            + "\(message.correctedCodewords) codewords corrected")
                }, failed: { failed.append(($1.candidate, $1.error.code)) })
        }
        read(places, as: .flat)
        state.unreadDataMatrix[level, default: []] += failed.map(\.place.corners)
        let unread = failed
        read(unread.prefix(unevenPerLevel).map(\.place), as: .uneven)
        // In texture the border does not even fit in part, as that of a symbol does.
        read(unread.prefix(bentPerLevel).filter { $0.code != .badPattern }.map(\.place), as: .bent)
    }
}
