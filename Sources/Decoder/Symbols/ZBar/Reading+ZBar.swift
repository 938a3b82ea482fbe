internal import BarcodeCore
internal import CZBar

extension Reading {
    /// Creates a reading from a symbol of zbar; if zbar has no location for it, it covers the whole image.
    init(_ symbol: OpaquePointer, symbology: Symbology, width: Int, height: Int) {
        let length = Int(zbar_symbol_get_data_length(symbol))
        let bytes: [UInt8]
        if length > 0, let data = zbar_symbol_get_data(symbol) {
            bytes = Array(UnsafeRawBufferPointer(start: data, count: length))
        } else {
            bytes = []
        }
        var points = (0..<zbar_symbol_get_loc_size(symbol)).map { index in
            // zbar returns pixel indices; the center of a pixel is half a pixel further.
            Point(
                x: Double(zbar_symbol_get_loc_x(symbol, index)) + 0.5,
                y: Double(zbar_symbol_get_loc_y(symbol, index)) + 0.5)
        }
        if points.isEmpty {
            // zbar does not expose the corners of an SQ Code.
            points = [Point(x: 0.5, y: 0.5), Point(x: Double(width) - 0.5, y: Double(height) - 0.5)]
        }
        let quarterTurns: Int? =
            switch zbar_symbol_get_orientation(symbol) {
            case ZBAR_ORIENT_UP: 0
            case ZBAR_ORIENT_RIGHT: 1
            case ZBAR_ORIENT_DOWN: 2
            case ZBAR_ORIENT_LEFT: 3
            default: nil
            }
        let corners: Quadrilateral
        if symbology == .qrCode, points.count == 4 {
            // zbar lists the corners of a QR Code counterclockwise from its top left.
            corners = Quadrilateral(
                topLeft: points[0], topRight: points[3], bottomRight: points[2], bottomLeft: points[1])
        } else {
            corners = Quadrilateral(around: points, quarterTurns: quarterTurns ?? 0)
        }
        let modifiers = zbar_symbol_get_modifiers(symbol)
        self.init(
            symbology: symbology, bytes: bytes, corners: corners,
            orientation: quarterTurns.map { Double($0 * 90) },
            quality: Int(zbar_symbol_get_quality(symbol)),
            isGS1: modifiers & (1 << ZBAR_MOD_GS1.rawValue) != 0,
            isAIM: modifiers & (1 << ZBAR_MOD_AIM.rawValue) != 0)
    }
}

extension Quadrilateral {
    /// Creates the bounding box of the points where zbar finished reading a linear symbol, at least a pixel wide
    /// and high.
    ///
    /// The corners are named for a symbol rotated clockwise by quarter turns. zbar records the end of each scan
    /// line that it read, on one side for forward lines and on the other for backward lines, so the box spans the
    /// symbol if both kinds were read.
    fileprivate init(around points: [Point], quarterTurns: Int) {
        let xs = points.map(\.x)
        let ys = points.map(\.y)
        let left = (xs.min() ?? 0) - 0.5
        let right = (xs.max() ?? 0) + 0.5
        let top = (ys.min() ?? 0) - 0.5
        let bottom = (ys.max() ?? 0) + 0.5
        // In the image, clockwise from its top left.
        let clockwise = [
            Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom), Point(x: left, y: bottom),
        ]
        func corner(_ index: Int) -> Point { clockwise[(index + quarterTurns) % 4] }
        self.init(topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
    }
}
