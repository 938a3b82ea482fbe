extension BridgeDialect {
    /// `new BarcodeDetector({formats}).detect(picture)`, the W3C's API; the result is ``DetectedBarcode`` only.
    public static let detector = BridgeDialect(name: "detector", file: "detector.js")
}
