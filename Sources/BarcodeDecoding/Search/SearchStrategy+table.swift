internal import BarcodeCore
internal import LinearReader
internal import MatrixReader
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
            title: "QR symbols on bent sheets", symbologies: [.qrCode], effort: .normal, levels: { [$0.coarse] },
            method: .qrBent),
        SearchStrategy(
            title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec], effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .aztec),
        SearchStrategy(
            title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .aztec),
        SearchStrategy(
            title: "Micro QR and rMQR symbols by their finder pattern", symbologies: microQR, effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .microQR),
        SearchStrategy(
            title: "Micro QR and rMQR symbols by their finder pattern", symbologies: microQR, effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .microQR),
        SearchStrategy(
            title: "PDF417 by start and stop patterns", symbologies: [.pdf417], effort: .fast,
            levels: { [$0.coarse] }, method: .pdf417),
        SearchStrategy(
            title: "PDF417 by start and stop patterns", symbologies: [.pdf417], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .pdf417),
        SearchStrategy(
            title: "linear symbols by bars that recur from line to line", symbologies: fieldBars, effort: .fast,
            levels: { [$0.coarse] }, method: .fields),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "Data Matrix symbols by two solid sides", symbologies: [.dataMatrix], effort: .fast,
            levels: { ($0.coarse...$0.last).reversed() }, method: .dataMatrix),
        SearchStrategy(
            title: "zbar, at a glance, where symbologies are wanted that it alone reads", symbologies: zbarLinear,
            effort: .fast, levels: { [$0.coarse] }, method: .zbarGlance),
        SearchStrategy(
            title: "linear symbols by bars that recur from line to line", symbologies: fieldBars, effort: .normal,
            levels: { Array(($0.fine..<$0.coarse).reversed()) + ($0.last > $0.coarse ? [$0.coarse + 1] : []) },
            method: .fields),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .fast,
            levels: { [$0.coarse] }, method: .bars),
        SearchStrategy(
            title: "codes on the edges of films by their clock tracks", symbologies: [.filmEdge], effort: .fast,
            levels: { [$0.coarse] }, method: .filmEdge),
        SearchStrategy(
            title: "codes on the edges of films by their clock tracks", symbologies: [.filmEdge], effort: .normal,
            isLastResort: true, levels: { ($0.fine..<$0.coarse).reversed() }, method: .filmEdge),
        SearchStrategy(
            title: "zbar, beside EAN and UPC, for add-ons", symbologies: Symbology.retail, effort: .fast,
            levels: { [$0.coarse] }, method: .zbarBeside),
        SearchStrategy(
            title: "zbar, in regions of bars that were not read", symbologies: zbarLinear, effort: .fast,
            levels: { [$0.coarse] }, method: .zbarBars),
        // Not for the frames of a camera: fitting takes four times as long as the rest of a frame, and the next is sharper.
        SearchStrategy(
            title: "linear symbols that are blurred, where bars recur from line to line", symbologies: fieldBars,
            effort: .normal, levels: { Array(($0.fine...$0.coarse).reversed()) }, method: .fieldsRest),
        SearchStrategy(
            title: "linear symbols by bars that recur from line to line", symbologies: fieldBars, effort: .normal,
            levels: { (0..<$0.fine).reversed() }, method: .fieldsFiner),
        SearchStrategy(
            title: "MicroPDF417 by row address patterns", symbologies: [.microPDF417], effort: .fast,
            levels: { [$0.coarse] }, method: .microPDF417),
        SearchStrategy(
            title: "MicroPDF417 by row address patterns", symbologies: [.microPDF417], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .microPDF417),
        SearchStrategy(
            title: "Han Xin symbols by four finder patterns", symbologies: [.hanXin], effort: .fast,
            levels: { [$0.coarse] }, method: .hanXin),
        SearchStrategy(
            title: "Han Xin symbols by four finder patterns", symbologies: [.hanXin], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .hanXin),
        SearchStrategy(
            title: "DotCode symbols by lattices of dots", symbologies: [.dotCode], effort: .fast,
            levels: { [$0.coarse] }, method: .dotCode),
        SearchStrategy(
            title: "DotCode symbols by lattices of dots", symbologies: [.dotCode], effort: .normal,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .dotCode),
        SearchStrategy(
            title: "postal symbols by rows of separate bars", symbologies: PostalReader.supportedSymbologies,
            effort: .fast, levels: { [$0.coarse] }, method: .postal),
        SearchStrategy(
            title: "postal symbols by rows of separate bars", symbologies: PostalReader.supportedSymbologies,
            effort: .normal, levels: { ($0.fine..<$0.coarse).reversed() }, method: .postal),
        SearchStrategy(
            title: "Data Matrix symbols beside others, by two solid sides", symbologies: [.dataMatrix],
            effort: .normal, levels: { (0..<$0.coarse).reversed() }, method: .dataMatrixBeside),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .normal, isLastResort: true,
            levels: { ($0.fine..<$0.coarse).reversed() }, method: .bars),
        SearchStrategy(
            title: "zbar, for SQ Code", symbologies: [.sqCode], effort: .fast, isLastResort: true,
            levels: { [$0.coarse] }, method: .zbarSquare),
        SearchStrategy(
            title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode], effort: .normal,
            isLastResort: true, levels: { ($0.fine...$0.last).reversed() }, method: .qrGuess),
        SearchStrategy(
            title: "QR symbols by three finder patterns", symbologies: [.qrCode], effort: .normal, isLastResort: true,
            findsSmallModules: true,
            levels: { (0..<$0.fine).reversed() }, method: .qr),
        SearchStrategy(
            title: "Micro QR and rMQR symbols by their finder pattern", symbologies: microQR, effort: .normal,
            isLastResort: true, findsSmallModules: true, levels: { (0..<$0.fine).reversed() }, method: .microQR),
        SearchStrategy(
            title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec], effort: .normal, isLastResort: true,
            findsSmallModules: true,
            levels: { (0..<$0.fine).reversed() }, method: .aztec),
        SearchStrategy(
            title: "Data Matrix symbols by two solid sides", symbologies: [.dataMatrix], effort: .normal,
            isLastResort: true, findsSmallModules: true, levels: { (0..<$0.coarse).reversed() }, method: .dataMatrix),
        SearchStrategy(
            title: "Data Matrix symbols in a small picture at twice its size", symbologies: [.dataMatrix],
            effort: .normal, isLastResort: true, levels: { $0.coarse == 0 ? [0] : [] }, method: .dataMatrixDoubled),
        SearchStrategy(
            title: "PDF417 by start and stop patterns", symbologies: [.pdf417], effort: .normal, isLastResort: true,
            findsSmallModules: true,
            levels: { (0..<$0.fine).reversed() }, method: .pdf417),
        SearchStrategy(
            title: "MicroPDF417 by row address patterns", symbologies: [.microPDF417], effort: .normal,
            isLastResort: true, findsSmallModules: true,
            levels: { (0..<$0.fine).reversed() }, method: .microPDF417),
        SearchStrategy(
            title: "Han Xin symbols by four finder patterns", symbologies: [.hanXin], effort: .normal,
            isLastResort: true, findsSmallModules: true,
            levels: { (0..<$0.fine).reversed() }, method: .hanXin),
        SearchStrategy(
            title: "DotCode symbols by lattices of dots", symbologies: [.dotCode], effort: .normal,
            isLastResort: true, findsSmallModules: true, levels: { (0..<$0.fine).reversed() }, method: .dotCode),
        SearchStrategy(
            title: "postal symbols by rows of separate bars", symbologies: PostalReader.supportedSymbologies,
            effort: .normal, isLastResort: true, levels: { (0..<$0.fine).reversed() }, method: .postal),
        SearchStrategy(
            title: "QR symbols by three finder patterns in pale print", symbologies: [.qrCode], effort: .normal,
            isLastResort: true, levels: { ($0.coarse...$0.last).reversed() }, method: .qrPale),
        SearchStrategy(
            title: "Micro QR and rMQR symbols by their finder pattern in pale print", symbologies: microQR,
            effort: .normal, isLastResort: true, levels: { ($0.coarse...$0.last).reversed() }, method: .microQRPale),
        SearchStrategy(
            title: "Data Matrix symbols in pale print", symbologies: [.dataMatrix], effort: .normal,
            isLastResort: true, levels: { ($0.coarse...$0.last).reversed() }, method: .dataMatrixPale),
        SearchStrategy(
            title: "Aztec symbols in pale print", symbologies: [.aztec], effort: .normal, isLastResort: true,
            levels: { ($0.coarse...$0.last).reversed() }, method: .aztecPale),
        SearchStrategy(
            title: "linear symbols in pale print, by bars that recur from line to line", symbologies: fieldBars,
            effort: .normal, isLastResort: true, levels: { [$0.coarse] }, method: .fieldsPale),
        SearchStrategy(
            title: "PDF417 in pale print, by start and stop patterns", symbologies: [.pdf417],
            effort: .normal, isLastResort: true, levels: { [$0.coarse] }, method: .pdf417Pale),
        SearchStrategy(
            title: "MicroPDF417 in pale print, by row address patterns", symbologies: [.microPDF417],
            effort: .normal, isLastResort: true, levels: { [$0.coarse] }, method: .microPDF417Pale),
        SearchStrategy(
            title: "QR symbols by two finder patterns that are left over beside others", symbologies: [.qrCode],
            effort: .normal, levels: { ($0.fine...$0.last).reversed() }, method: .qrGuessBeside),
        SearchStrategy(
            title: "QR symbols around finder patterns that are left over, in a larger picture", symbologies: [.qrCode],
            effort: .normal, levels: { $0.fine > 0 ? [$0.fine - 1] : [] }, method: .qrFineBeside),
        SearchStrategy(
            title: "QR symbols on bent sheets", symbologies: [.qrCode], effort: .normal, levels: { [$0.coarse] },
            method: .qrBentRest),
        SearchStrategy(
            title: "zbar, with care, for QR symbols", symbologies: [.qrCode], effort: .normal,
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
            title: "Micro QR and rMQR symbols by their finder pattern", symbologies: microQR, effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .microQR),
        SearchStrategy(
            title: "Data Matrix symbols by two solid sides", symbologies: [.dataMatrix], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .dataMatrix),
        SearchStrategy(
            title: "Data Matrix symbols of separate dots", symbologies: [.dataMatrix], effort: .thorough,
            isLastResort: true, levels: { (0...$0.last).reversed() }, method: .dataMatrixDots),
        SearchStrategy(
            title: "QR symbols by two finder patterns, the third guessed", symbologies: [.qrCode], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .qrGuess),
        SearchStrategy(
            title: "Aztec symbols by their bull's-eyes", symbologies: [.aztec], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .aztec),
        SearchStrategy(
            title: "MaxiCode symbols by their bull's-eye", symbologies: [.maxiCode], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .maxiCode),
        SearchStrategy(
            title: "Han Xin symbols by four finder patterns", symbologies: [.hanXin], effort: .thorough,
            levels: { (0...$0.last).reversed() }, method: .hanXin),
        SearchStrategy(
            title: "linear symbols by their parallel bars", symbologies: bars, effort: .thorough,
            levels: { (0...$0.coarse).reversed() }, method: .bars),
        SearchStrategy(
            title: "zbar, every line, for everything", symbologies: zbarAll, effort: .thorough,
            levels: { Array(0...$0.last) }, method: .zbarEveryLine),
        SearchStrategy(
            title: "zbar, every line, for everything, black and white exchanged",
            symbologies: zbarAll, effort: .thorough, levels: { Array($0.coarse...$0.last) },
            method: .zbarEveryLineInverted),
        SearchStrategy(
            title: "composite components above linear symbols", symbologies: CompositeCarrier.symbologies,
            effort: .normal, levels: { [$0.coarse] }, method: .composite),
        SearchStrategy(
            title: "composite components above GS1-128 by start and stop patterns", symbologies: [.code128],
            effort: .normal, levels: { [$0.coarse] }, method: .compositePDF417),
        SearchStrategy(
            title: "linear symbols below composite components that were read by themselves",
            symbologies: CompositeCarrier.symbologies, effort: .normal, levels: { [$0.coarse] },
            method: .compositeBelow),
    ]

    private static let microQR: Set<Symbology> = [.microQRCode, .rectangularMicroQRCode]
    /// The symbologies that zbar looks for in a whole picture: it makes one DataBar of the halves of two, wherever they are.
    private static let zbarAll = ZBarReader.supportedSymbologies.subtracting([.dataBar, .dataBarExpanded])
    private static let zbarLinear = ZBarReader.supportedSymbologies.subtracting([.qrCode])
    /// A Pharmacode may be any few bars: its region tells where it ends, lines across noise beside it do not.
    static let fieldBars = bars.subtracting([.pharmacode])
    private static let bars = LinearReader.supportedSymbologies.union(Symbology.retail)
        .union(LinearForm.symbologies)
}
