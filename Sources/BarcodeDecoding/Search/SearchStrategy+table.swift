internal import BarcodeCore
internal import LinearReader
internal import ZBarReader

extension SearchStrategy {
    /// All strategies, in the order in which they are worth their cost.
    static let all: [SearchStrategy] = [
        SearchStrategy(
            title: "QR symbols by three finder patterns", symbologies: [.qrCode], effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .qr),
        SearchStrategy(
            title: "QR symbols by three finder patterns", symbologies: [.qrCode], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .qr),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "zbar, at a glance, where symbologies are wanted that it alone reads", symbologies: zbarLinear,
            effort: .fast, levels: { [$0.coarse] }, method: .zbarGlance),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .fast,
            levels: { [$0.coarse] }, method: .bars),
        SearchStrategy(
            title: "zbar, beside EAN and UPC, for add-ons", symbologies: Symbology.retail, effort: .fast,
            levels: { [$0.coarse] }, method: .zbarBeside),
        SearchStrategy(
            title: "zbar, in regions of bars that were not read", symbologies: zbarLinear, effort: .fast,
            levels: { [$0.coarse] }, method: .zbarBars),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .normal, isLastResort: true,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .bars),
        SearchStrategy(
            title: "zbar, for SQ Code", symbologies: [.sqCode], effort: .fast, isLastResort: true,
            levels: { [$0.coarse] }, method: .zbarSquare),
        SearchStrategy(
            title: "QR symbols by two finder patterns that are left over beside others", symbologies: [.qrCode],
            effort: .normal, levels: { ($0.fine...$0.last).reversed() }, method: .qrGuessBeside),
        SearchStrategy(
            title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode], effort: .normal,
            isLastResort: true, levels: { ($0.fine...$0.last).reversed() }, method: .qrGuess),
        SearchStrategy(
            title: "QR symbols by three finder patterns", symbologies: [.qrCode], effort: .normal, isLastResort: true,
            levels: { (0..<$0.fine).reversed() }, method: .qr),
        SearchStrategy(
            title: "QR symbols by three finder patterns in pale print", symbologies: [.qrCode], effort: .normal,
            isLastResort: true, levels: { ($0.coarse...$0.last).reversed() }, method: .qrPale),
        SearchStrategy(
            title: "zbar, with care, for QR symbols", symbologies: [.qrCode], effort: .normal, isLastResort: true,
            levels: { [$0.coarse] }, method: .zbarCareful),
        SearchStrategy(
            title: "zbar, every line, for QR symbols", symbologies: [.qrCode], effort: .normal, isLastResort: true,
            levels: { Array(($0.coarse...$0.last).dropFirst()) }, method: .zbarQR),
        SearchStrategy(
            title: "zbar, in regions of bars that were not read, black and white exchanged", symbologies: zbarLinear,
            effort: .fast, isLastResort: true, levels: { [$0.coarse] }, method: .zbarBarsInverted),
        SearchStrategy(
            title: "QR symbols by three finder patterns", symbologies: [.qrCode], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .qr),
        SearchStrategy(
            title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .qrGuess),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .thorough,
            levels: { (0...$0.coarse).reversed() }, method: .bars),
        SearchStrategy(
            title: "zbar, every line, for everything", symbologies: ZBarReader.supportedSymbologies, effort: .thorough,
            levels: { Array(0...$0.last) }, method: .zbarEveryLine),
        SearchStrategy(
            title: "zbar, every line, for everything, black and white exchanged",
            symbologies: ZBarReader.supportedSymbologies, effort: .thorough, levels: { Array(0...$0.last) },
            method: .zbarEveryLineInverted),
    ]

    private static let zbarLinear = ZBarReader.supportedSymbologies.subtracting([.qrCode])
    private static let bars = LinearReader.supportedSymbologies.union(Symbology.retail)
}
