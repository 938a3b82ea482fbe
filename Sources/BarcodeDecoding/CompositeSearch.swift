internal import BarcodeCore
internal import Glibc
internal import MatrixReader
internal import SymbolLocator

extension SearchStrategy.Method {
    /// The CC-A and CC-B above linear symbols that were read.
    static let composite = Self(name: "composite") { scene, _ in
        for symbol in scene.found.symbols where symbol.composite == nil {
            guard scene.symbologies.contains(symbol.symbology), let carriers = CompositeCarrier.carriers(of: symbol)
            else {
                continue
            }
            let width = hypot(
                symbol.corners.topRight.x - symbol.corners.topLeft.x,
                symbol.corners.topRight.y - symbol.corners.topLeft.y)
            // The shortest of these symbols has half as many modules as most.
            let level = readingLevel(ofModule: width / 100, 0)
            let corners = symbol.corners.scaled(by: 1 / Double(1 << level))
            let image = scene.image(atLevel: level)
            for carrier in carriers {
                do throws(MatrixDecodeFailure) {
                    let reading = try CompositeReader().read(image, above: corners, carrier)
                    scene.add(reading, to: symbol, scale: Double(1 << level))
                    break
                } catch {
                    // Above most symbols is nothing.
                    guard error.code != .noFinderPattern else { continue }
                    scene.trace?(.note("Row address patterns above \(symbol.symbology.rawValue): \(error)"))
                }
            }
        }
    }

    /// The CC-C above GS1-128 symbols that were read, by the start and stop patterns of PDF417.
    static let compositePDF417 = Self(name: "compositePDF417") { scene, level in
        let carriers = scene.found.symbols.filter {
            $0.symbology == .code128 && $0.isGS1 && $0.composite == nil && scene.symbologies.contains(.code128)
        }
        guard !carriers.isEmpty else { return }
        let scale = Double(1 << level)
        let places = PDF417Place.places(scene.stackedPatterns(atLevel: level).patterns.compactMap { PDF417Side($0) })
        for symbol in carriers {
            let corners = symbol.corners.scaled(by: 1 / scale)
            for place in places.filter({ $0.stands(above: corners) }).prefix(PDF417Place.maximumFailures) {
                let readingLevel = readingLevel(ofModule: place.module, level)
                let factor = pow(2, Double(level - readingLevel))
                do throws(MatrixDecodeFailure) {
                    let reading = try CompositeReader().read(
                        scene.image(atLevel: readingLevel), start: place.start?.scaled(by: factor),
                        stop: place.stop?.scaled(by: factor))
                    scene.add(reading, to: symbol, scale: Double(1 << readingLevel))
                    break
                } catch {
                    scene.trace?(.note("PDF417 above \(symbol.symbology.rawValue): \(error)"))
                }
            }
        }
    }
}

extension SearchScene {
    /// Adds a component that was read to its linear symbol.
    fileprivate mutating func add(_ reading: CompositeReading, to symbol: Symbol, scale: Double) {
        var component = reading.component
        component.corners = component.corners.scaled(by: scale)
        trace?(
            .matrixPlace(
                component.corners, wasRead: true,
                sentence: "read: the composite component \(component.kind.rawValue) of \(symbol.symbology.rawValue), "
                    + "\(reading.correctedCodewords) wrong codewords put right"))
        found.extend(symbol, by: component)
    }
}

extension CompositeCarrier {
    /// What a symbol may be, as the carrier of a component; nil where it is none.
    fileprivate static func carriers(of symbol: Symbol) -> [CompositeCarrier]? {
        switch symbol.symbology {
        case .ean13, .upcA, .isbn13, .isbn10: [.ean13]
        case .ean8: [.ean8]
        case .upcE: [.upcE]
        case .dataBar: [.dataBar, .dataBarStacked]
        case .dataBarLimited: [.dataBarLimited]
        case .dataBarExpanded: [.dataBarExpanded]
        case .code128 where symbol.isGS1: [.code128]
        default: nil
        }
    }

    /// The symbologies whose symbols may carry a component.
    static let symbologies: Set<Symbology> = [
        .ean13, .upcA, .isbn13, .isbn10, .ean8, .upcE, .dataBar, .dataBarLimited, .dataBarExpanded, .code128,
    ]
}

extension PDF417Place {
    /// Whether the place is above the lower edge of a linear symbol, along its bars and as it is read.
    ///
    /// The upper corners of the symbol may be those of what is above it.
    fileprivate func stands(above linear: Quadrilateral) -> Bool {
        guard let side = start ?? stop else { return false }
        let right = Point(
            x: linear.bottomRight.x - linear.bottomLeft.x, y: linear.bottomRight.y - linear.bottomLeft.y)
        let length = hypot(right.x, right.y)
        guard length > 1 else { return false }
        let (x, y) = (right.x / length, right.y / length)
        let center = side.center
        let across = (center.x - linear.bottomLeft.x) * x + (center.y - linear.bottomLeft.y) * y
        // Upwards is to the left of the direction of reading.
        let up = (center.x - linear.bottomLeft.x) * y - (center.y - linear.bottomLeft.y) * x
        let leans = abs(side.direction.x * y - side.direction.y * x)
        // Thirty rows of three modules, and as much again for a linear symbol of any height.
        let reach = 200 * side.module
        return leans < 0.26 && side.direction.x * x + side.direction.y * y > 0 && up > 4 * side.module && up < reach
            && across > -40 * side.module && across < length + 40 * side.module
    }
}
