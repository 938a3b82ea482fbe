internal import BarcodeCore

/// Writes an SVG drawing with a barcode.
enum SettingPicture {
    private static let height = 120
    private static let captionHeight = 40

    /// Returns the drawing, one unit per pixel, on a white background, so that it can be scanned from a dark page
    /// too.
    static func svg(bars: [Bar], width: Int, caption: String) -> [UInt8] {
        let whole = height + captionHeight
        var text = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(whole)" "#
        text += #"width="\#(width)" height="\#(whole)" shape-rendering="crispEdges">"#
        text += #"<rect width="\#(width)" height="\#(whole)" fill="white"/><path d=""#
        for bar in bars { text += "M\(bar.x) 12h\(bar.width)v\(height - 12)h-\(bar.width)z" }
        text += #""/><text x="\#(width / 2)" y="\#(height + 26)" text-anchor="middle" "#
        text += #"font-family="monospace" font-size="20" xml:space="preserve">"#
        return Array((text + caption.markupEscaped + "</text></svg>\n").utf8)
    }
}
