extension BridgeDialect {
    /// `new BarcodeDetector({formats}).detect(picture)`, as the W3C has it: answered by ``DetectedBarcode`` alone.
    public static let detector = BridgeDialect(name: "detector", file: "detector.js")
}
