/// The classes of pictures in the reports: a reader that is fast on one class may be slow on another.
enum PictureClass {
    /// Returns the class of a picture, from its set and its group in the set, which is named after a symbology.
    ///
    /// A suite of the corpus without groups by symbology is a class of its own, and so is any other folder.
    static func of(set: String, group: String) -> String {
        switch set {
        case "corpus/boofcv": "BoofCV: QR photos up to 12 MP"
        case "corpus/jsqr": "jsQR: QR photos and renderings"
        case "corpus/photos": "photos, mostly of EAN and UPC"
        case "corpus/zxing": "zxing-cpp: \(form(group))"
        case "samples": "Samples: \(form(group))"
        default: set
        }
    }

    /// Returns the rank of a class in its set.
    static func rank(_ name: String) -> Int {
        [": QR", ": linear", ": 2D and rare", ": no code"].firstIndex { name.hasSuffix($0) } ?? 0
    }

    /// Indicates whether a group has EAN or UPC symbols, with or without an add-on.
    static func isRetail(_ group: String) -> Bool {
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
