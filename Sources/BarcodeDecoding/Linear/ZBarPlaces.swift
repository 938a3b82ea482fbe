internal import BarcodeCore
internal import Glibc
internal import SymbolLocator
internal import ZBarReader

/// zbar where something is known to be seen: its time is that of its scan lines, and a place has few of them.
extension SearchStrategy.Method {
    /// zbar beside EAN and UPC symbols, for the add-ons that it alone reads.
    static let zbarBeside = Self(name: "zbarBeside") { (scene, level) throws(DecodeError) in
        let scale = Double(1 << level)
        for known in scene.found.symbols where Symbology.retail.contains(known.format) && known.addOn == nil {
            let image = scene.image(atLevel: level)
            guard let place = AddOnPlace(of: known, in: image, scale: scale) else { continue }
            let readings = try ZBarSearch.place(
                image, x: place.x, y: place.y, rows: place.isAlongRows, columns: place.isAlongColumns,
                formats: [known.format])
            for symbol in readings.map({ Symbol($0, in: image) })
            where symbol.addOn != nil && symbol.format == known.format && symbol.bytes.starts(with: known.bytes) {
                scene.trace?(.note("zbar read the add-on \(symbol.addOn ?? "") beside \(known.text)."))
                scene.found.extend(known, to: symbol)
            }
        }
    }

    /// zbar in the regions of bars in which nothing was read: a second opinion.
    static let zbarBars = bars("zbarBars", isInverted: false)
    static let zbarBarsInverted = bars("zbarBarsInverted", isInverted: true)

    private static func bars(_ name: String, isInverted: Bool) -> Self {
        Self(name: name) { (scene, level) throws(DecodeError) in
            for region in scene.unreadBars[level] ?? [] {
                let image = scene.image(atLevel: level)
                let box = region.corners.boundingBox
                // Paper beside the bars: at least a quarter of the quiet zones, which are a tenth of the symbol.
                let margin = 16 + 0.1 * region.length
                let x = range(box.x - margin, box.x + box.width + margin, limit: image.width)
                let y = range(box.y - margin, box.y + box.height + margin, limit: image.height)
                let (a, b) = (abs(cos(region.angle)), abs(sin(region.angle)))
                let readings = try ZBarSearch.place(
                    image, x: x, y: y, rows: a > 0.5 * b, columns: b > 0.5 * a, isInverted: isInverted,
                    formats: scene.formats)
                if !readings.isEmpty { scene.trace?(.note("zbar read \(readings.map(described)).")) }
                for reading in readings {
                    var symbol = Symbol(reading, in: image)
                    symbol.corners = symbol.corners.scaled(by: Double(1 << level))
                    symbol.isInverted = isInverted
                    scene.found.add(symbol)
                }
            }
        }
    }

    /// Pixels from one place to another, within those of the picture.
    private static func range(_ first: Double, _ last: Double, limit: Int) -> Range<Int> {
        let start = min(max(first, 0), Double(limit))
        return Int(start)..<Int(min(max(last, start), Double(limit)))
    }
}
