public import BarcodeCore
internal import FoundationEssentials
public import SymbolContent

/// A symbol as in JSON: the fields of the W3C's `DetectedBarcode`, and more in their style.
public struct SymbolRecord: Codable {
    struct Corner: Codable {
        var x: Double
        var y: Double

        /// Creates a corner from a point, with two decimals.
        init(_ point: Point) {
            x = point.x.hundredths
            y = point.y.hundredths
        }
    }

    struct Box: Codable {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    struct Modules: Codable {
        var columns: Int
        var rows: Int
    }

    struct StructuredAppendRecord: Codable {
        var index: Int
        var count: Int?
        var parity: UInt8?
        var identifier: String?
    }

    /// The composite component above a linear symbol.
    struct Component: Codable {
        var format: String
        var rawValue: String
        var rawBytes: Data
        var symbologyIdentifier: String
        var cornerPoints: [Corner]

        init(_ component: CompositeComponent) {
            format = component.kind.rawValue
            rawValue = component.text
            rawBytes = Data(component.bytes)
            symbologyIdentifier = CompositeComponent.symbologyIdentifier
            cornerPoints = component.corners.points.map(Corner.init)
        }

        var component: CompositeComponent {
            CompositeComponent(
                kind: CompositeComponent.Kind(rawValue: format), bytes: [UInt8](rawBytes),
                corners: Quadrilateral(cornerPoints))
        }
    }

    var format: String
    var rawValue: String
    var rawBytes: Data
    var symbologyIdentifier: String
    var charset: String
    var charsetSource: String
    var addOn: String?
    var cornerPoints: [Corner]
    var boundingBox: Box
    var rotation: Double?
    var quality: Int
    var inverted: Bool
    // Fields that reports of older versions lack are optional.
    var mirrored: Bool?
    var gs1: Bool?
    var check: String?
    var errorCorrectionLevel: String?
    var correctionUsed: Double?
    var moduleSize: Double?
    var contrast: Double?
    var confidence: Double?
    var version: Int?
    var modules: Modules?
    var structuredAppend: StructuredAppendRecord?
    var readerProgramming: Bool?
    var symbolCharacters: String?
    var composite: Component?
    var content: ContentRecord?
    /// The corners in points from the top left of the page, if the page was rendered.
    var pagePoints: [Corner]?
    /// The page of a document, in records of several pages.
    public var page: Int?

    /// Creates the record of a symbol; corners have two decimals.
    public init(_ symbol: Symbol) {
        self.init(symbol, contentYear: nil, resolution: nil)
    }

    /// Creates the record of a symbol on a page.
    ///
    /// - Parameters:
    ///   - symbol: the decoded symbol.
    ///   - contentYear: the year of the scan, to parse its message into fields; `nil` to skip that.
    ///   - signingKeys: the keys to check a signature with; `nil` to check none.
    ///   - resolution: the rendering resolution of the page in pixels per inch; `nil` if it was not rendered.
    public init(_ symbol: Symbol, contentYear: Int?, signingKeys: SigningKeys? = nil, resolution: Double?) {
        format = symbol.symbology.rawValue
        rawValue = symbol.text
        rawBytes = Data(symbol.bytes)
        symbologyIdentifier = symbol.symbologyIdentifier
        charset = symbol.charset.name
        charsetSource = symbol.charset.source.rawValue
        addOn = symbol.addOn
        if let resolution, resolution > 0 {
            let scale = 72 / resolution
            pagePoints = symbol.corners.scaled(by: scale).points.map(Corner.init)
        }
        cornerPoints = symbol.corners.points.map(Corner.init)
        let box = symbol.corners.boundingBox
        boundingBox = Box(
            x: box.x.hundredths, y: box.y.hundredths, width: box.width.hundredths, height: box.height.hundredths)
        rotation = symbol.orientation?.hundredths
        quality = symbol.weight
        inverted = symbol.isInverted
        mirrored = symbol.isMirrored
        gs1 = symbol.isGS1
        check = symbol.check.rawValue
        errorCorrectionLevel = symbol.errorCorrectionLevel
        correctionUsed = symbol.correctionUsed?.hundredths
        moduleSize = symbol.moduleSize?.hundredths
        contrast = symbol.contrast?.hundredths
        confidence = symbol.confidence
        version = symbol.version
        modules = symbol.modules.map { Modules(columns: $0.columns, rows: $0.rows) }
        structuredAppend = symbol.structuredAppend.map {
            StructuredAppendRecord(index: $0.index, count: $0.count, parity: $0.parity, identifier: $0.identifier)
        }
        readerProgramming = symbol.isReaderProgramming ? true : nil
        symbolCharacters = symbol.symbolCharacters
        composite = symbol.composite.map(Component.init)
        content = contentYear.flatMap { symbol.content(currentYear: $0, keys: signingKeys) }.map(ContentRecord.init)
    }

    /// The symbol of the record; missing corners are at the origin.
    var symbol: Symbol {
        var symbol = Symbol(
            symbology: Symbology(rawValue: format), symbologyIdentifier: symbologyIdentifier, bytes: [UInt8](rawBytes),
            text: rawValue, charset: Charset(name: charset, source: Charset.Source(rawValue: charsetSource)),
            addOn: addOn,
            corners: Quadrilateral(cornerPoints),
            orientation: rotation, isInverted: inverted, isMirrored: mirrored, isGS1: gs1 ?? false,
            check: check.map(Symbol.Check.init(rawValue:)) ?? .none, errorCorrectionLevel: errorCorrectionLevel,
            correctionUsed: correctionUsed, version: version,
            modules: modules.map { ModuleCount(columns: $0.columns, rows: $0.rows) },
            structuredAppend: structuredAppend.map {
                StructuredAppend(
                    index: $0.index, count: $0.count, parity: $0.parity, identifier: $0.identifier)
            },
            isReaderProgramming: readerProgramming ?? false, symbolCharacters: symbolCharacters,
            composite: composite?.component, moduleSize: moduleSize, contrast: contrast,
            confidence: confidence)
        symbol.weight = quality
        return symbol
    }
}

extension Quadrilateral {
    /// Creates a quadrilateral; missing corners are at the origin.
    init(_ corners: [SymbolRecord.Corner]) {
        var points = corners.map { Point(x: $0.x, y: $0.y) }
        while points.count < 4 { points.append(Point(x: 0, y: 0)) }
        self.init(topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
    }
}

extension Double {
    /// The number rounded to two decimals, which is the accuracy of corners.
    var hundredths: Double { (self * 100).rounded() / 100 }
}
