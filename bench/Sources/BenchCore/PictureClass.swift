/// The kinds of picture that the figures are taken apart by: a reader that is fast on one may be slow on another.
public enum PictureClass {
    /// The class of a picture of a set and of a group of it, which is named by its symbology.
    ///
    /// A suite of the corpus that has no groups by symbology is a class of its own, and so is any other folder.
    public static func of(set: String, group: String) -> String {
        switch set {
        case "corpus/boofcv": "BoofCV: QR photos up to 12 MP"
        case "corpus/jsqr": "jsQR: QR photos and renderings"
        case "corpus/zxing": "zxing-cpp: \(form(group))"
        case "samples": "Samples: \(form(group))"
        default: set
        }
    }

    /// The place of a class among those of its set.
    public static func rank(_ name: String) -> Int {
        [": QR", ": linear", ": 2D and rare", ": no code"].firstIndex { name.hasSuffix($0) } ?? 0
    }

    /// Whether a group holds EAN or UPC symbols, with an add-on or without.
    public static func isRetail(_ group: String) -> Bool {
        ["ean", "upc"].contains { group.hasPrefix($0) }
    }

    private static func form(_ group: String) -> String {
        let name = group.lowercased().filter { $0 != "_" && $0 != "-" }
        if name == "none" || name == "falsepositives" { return "no code" }
        if name == "qr" || name == "qrcode" { return "QR" }
        let isLinear =
            isRetail(name)
            || ["code128", "code39", "code93", "codabar", "itf", "gs1128"].contains(name)
            || name.hasPrefix("rss") || name.hasPrefix("databar")
        return isLinear ? "linear" : "2D and rare"
    }
}
