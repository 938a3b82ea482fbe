internal import BarcodeCore

extension SearchStrategy.Method {
    /// Data Matrix symbols by two solid sides that meet and two dotted ones.
    static let dataMatrix = Self(
        name: "dataMatrix", title: "Data Matrix symbols by two solid sides", symbologies: [.dataMatrix]
    ) { scene, level in
        readDataMatrix(&scene, level, scene.binaryImage(atLevel: level))
    }

    /// The same in a small picture at twice its size, where a module may be one pixel.
    static let dataMatrixDoubled = Self(
        name: "dataMatrixDoubled", title: "Data Matrix symbols in a small picture at twice its size",
        symbologies: [.dataMatrix]
    ) { scene, level in
        let image = scene.image(atLevel: level)
        guard image.pixelCount <= doubledPixels else { return }
        let doubled = image.doubled()
        readDataMatrix(&scene, level - 1, BinaryImage(doubled), in: doubled)
    }

    /// Symbols of separate dots, as they are peened or sprayed: where modules are a few pixels, dots that are wider by one
    /// on each side touch.
    static let dataMatrixDots = Self(
        name: "dataMatrixDots", title: "Data Matrix symbols of separate dots", symbologies: [.dataMatrix]
    ) { scene, level in
        for isDark in [true, false] {
            let widened = scene.image(atLevel: level).widened(isDark: isDark)
            readDataMatrix(&scene, level, BinaryImage(widened), in: widened)
        }
    }

    /// Places in one size of a picture that are tried in vain, one after the other, before the rest is given up.
    private static let maximumFailures = FailureLimit.inARow(60)
    /// Places of these that are tried once more as symbols whose modules stand unevenly.
    private static let unevenPerLevel = 8
    /// Pixels of a picture up to which it is searched at twice its size too.
    private static let doubledPixels = 65_536
    /// Pixels by which the corners of a symbol that was read may be off.
    private static let edgeMargin = 3.0
    private static let reader = DataMatrixReader(maximumAttempts: 24)

    /// Finds symbols in a picture in two tones and reads them.
    ///
    /// - Parameter picture: the picture that they are read in; `nil`: the scene's own, the larger the smaller their modules.
    private static func readDataMatrix(
        _ scene: inout SearchScene, _ level: Int, _ binary: BinaryImage, in picture: LumaImage? = nil
    ) {
        // The outer edges of a symbol belong to it too.
        let scale = level < 0 ? 0.5 : Double(1 << level)
        let taken = scene.found.symbols.map { $0.corners.scaled(by: 1 / scale).enlarged(by: edgeMargin) }
        let places = DataMatrixLocator(binary, taken: taken).candidates
        scene.trace?(
            .note(
                places.isEmpty
                    ? "No Data Matrix was seen: two solid sides that meet, and opposite to them dots that alternate."
                    : "\(places.count) place\(places.count == 1 ? "" : "s") to try, with two solid sides and two dotted ones."
            ))
        var failed: [DataMatrixLocator.Candidate] = []
        func read(_ places: [DataMatrixLocator.Candidate], isUneven: Bool) {
            scene.readPlaces(
                places, atLevel: level, limit: maximumFailures, smallestModule: picture == nil ? 3 : nil,
                outline: { ($0.corners, $0.moduleSize) }, picture: { picture ?? $0.image(atLevel: $1) },
                read: { image, place, factor throws(MatrixDecodeFailure) in
                    let reading = try reader.read(
                        image, solidCorners: place.corners.scaled(by: factor), columns: place.columns, rows: place.rows,
                        isInverted: place.isInverted, isUneven: isUneven)
                    let message = reading.message
                    return PlaceReading(
                        symbol: Symbol(reading),
                        sentence: "read: \(message.size.columns) by \(message.size.rows) modules, "
                            + "\(message.correctedCodewords) wrong codewords put right")
                }, failed: { failed.append($1.place) })
        }
        read(places, isUneven: false)
        // What was read in vain may have modules that stand unevenly.
        read(Array(failed.prefix(unevenPerLevel)), isUneven: true)
    }
}
