internal import BarcodeCore

extension SearchStrategy.Method {
    /// Finds the CC-A and CC-B above decoded linear symbols.
    static let composite = Self(
        name: "composite", title: "composite components above linear symbols",
        symbologies: CompositeCarrier.symbologies
    ) { state, _ in
        for (symbol, linkage) in state.found.incomplete {
            guard linkage != .full, state.symbologies.contains(symbol.symbology),
                let carriers = CompositeCarrier.carriers(of: symbol)
            else {
                continue
            }
            let level = level(of: symbol)
            let corners = symbol.corners.scaled(by: 1 / Double(1 << level))
            let image = state.image(atLevel: level)
            for carrier in carriers {
                do throws(MatrixDecodeFailure) {
                    let reading = try CompositeReader().read(image, above: corners, carrier)
                    state.add(reading, to: symbol, scale: Double(1 << level))
                    break
                } catch {
                    // Most symbols have no component.
                    guard error.code != .noFinderPattern else { continue }
                    state.trace?(.note("Row address patterns above \(symbol.symbology.rawValue): \(error)"))
                }
            }
        }
    }

    /// Finds the CC-C above decoded GS1-128 symbols by the start and stop patterns of PDF417.
    static let compositePDF417 = Self(
        name: "compositePDF417", title: "composite components above GS1-128 by start and stop patterns",
        symbologies: [.code128]
    ) { state, _ in
        for (symbol, linkage) in state.found.incomplete
        where linkage != .micro && symbol.symbology == .code128 && symbol.isGS1 {
            let level = level(of: symbol)
            let corners = symbol.corners.scaled(by: 1 / Double(1 << level))
            guard let upright = UprightPicture(state.image(atLevel: level), above: corners) else { continue }
            var budget = PDF417Reader.Budget(upright.image)
            let sides = PDF417Locator(BinaryImage(upright.image), step: 2).patterns.compactMap { PDF417Side($0) }
            for candidate in PDF417Candidate.all(from: sides).prefix(PDF417Candidate.maximumFailures)
            where candidate.isUpright {
                do throws(MatrixDecodeFailure) {
                    var reading = try CompositeReader().read(
                        upright.image, start: candidate.start, stop: candidate.stop, budget: &budget)
                    reading.component.corners = upright.original(reading.component.corners)
                    state.add(reading, to: symbol, scale: Double(1 << level))
                    break
                } catch {
                    state.trace?(.note("PDF417 above \(symbol.symbology.rawValue): \(error)"))
                }
            }
        }
    }

    /// Returns the pyramid level at which to read the component of a symbol.
    ///
    /// The module size is a lower estimate, so that the picture is never too small.
    private static func level(of symbol: Symbol) -> Int {
        let (left, right) = (symbol.corners.topLeft, symbol.corners.topRight)
        let modules = CompositeCarrier.greatestModules(of: symbol.symbology, characters: symbol.bytes.count)
        return readingLevel(ofModule: right.distance(to: left) / modules, 0)
    }
}

extension SearchState {
    /// Adds a decoded component to its linear symbol.
    fileprivate mutating func add(_ reading: CompositeReading, to symbol: Symbol, scale: Double) {
        found.extend(symbol, by: note(reading, scale: scale))
    }

    /// Reports a decoded component to the trace, and returns it in pixels of the full picture.
    fileprivate func note(_ reading: CompositeReading, scale: Double) -> CompositeComponent {
        var component = reading.component
        component.corners = component.corners.scaled(by: scale)
        trace?(
            .matrixCandidate(
                component.corners, wasRead: true,
                sentence: "read: the composite component \(component.kind.rawValue), "
                    + "\(reading.correctedCodewords) codewords corrected"))
        return component
    }

    /// Keeps a component decoded on its own until the linear symbol below it is decoded.
    ///
    /// - Parameters:
    ///   - module: the module size in pixels of the picture that was read.
    ///   - scale: the size of such a pixel in pixels of the full picture.
    mutating func keep(_ reading: CompositeReading, module: Double, scale: Double) {
        unpairedComponents.append(
            UnpairedComponent(component: note(reading, scale: scale), module: module * scale))
    }
}

extension CompositeCarrier {
    /// Returns the carriers that a symbol may be; `nil` if it cannot carry a component.
    static func carriers(of symbol: Symbol) -> [CompositeCarrier]? {
        guard let carriers = bySymbology[symbol.symbology] else { return nil }
        return carriers.allSatisfy { symbol.isGS1 || !$0.isMarkedGS1 } ? carriers : nil
    }

    /// The symbologies whose symbols may carry a component.
    static let symbologies = Set(bySymbology.keys)
}

extension PDF417Candidate {
    /// True if the rows run to the right, like those of an upright symbol.
    fileprivate var isUpright: Bool { ((start ?? stop)?.direction.x ?? 0) > 0.96 }
}
