internal import BarcodeCore

extension SearchStrategy {
    /// All searches, in the order of their benefit relative to their cost.
    static let schedule: [SearchStrategy] = [
        // First, because one symbol becomes two parts if the dots or specks in it remain.
        .init(.dithered, .fast, .full),
        .init(.speckled, .fast, .full),
        .init(.qr, .fast, .coarseAndSmaller),
        .init(.qr, .normal, .fine),
        .init(.qrBent, .normal, .coarse),
        .init(.aztec, .fast, .coarseAndSmaller),
        .init(.aztec, .normal, .fine),
        .init(.microQR, .fast, .coarseAndSmaller),
        .init(.microQR, .normal, .fine),
        .init(.pdf417, .fast, .coarse),
        .init(.pdf417, .normal, .fine),
        .init(.fields, .fast, .coarse),
        .init(.maxiCode, .fast, .coarseAndSmaller),
        .init(.maxiCode, .normal, .fine),
        .init(.dataMatrix, .fast, .coarseAndSmaller),
        .init(.zbarGlance, .fast, .coarse),
        .init(.fields, .normal, .fine),
        .init(.fields, .normal, .halfOfCoarse),
        .init(.bars, .fast, .coarse),
        .init(.filmEdge, .fast, .coarse),
        .init(.filmEdge, .normal, .fine, if: .nothingRead),
        .init(.addOns, .fast, .coarse),
        .init(.zbarBars, .fast, .coarse),
        // Not for live camera frames: fitting takes four times as long as the rest of a frame, and the next frame
        // may be sharper.
        .init(.stackedRows, .normal, .coarseAndFine),
        .init(.fittedFields, .normal, .coarseAndFine),
        .init(.fields, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.fittedFields, .normal, .finest, if: .smallModules),
        .init(.microPDF417, .fast, .coarse),
        .init(.microPDF417, .normal, .fine),
        .init(.hanXin, .fast, .coarse),
        .init(.hanXin, .normal, .fine),
        .init(.dotCode, .fast, .coarse),
        .init(.dotCode, .normal, .fine),
        .init(.postal, .fast, .coarse),
        .init(.postal, .normal, .fine),
        .init(.lightBars, .fast, .coarse),
        .init(.dataMatrix, .normal, .largerThanCoarse, if: .oneWasRead),

        .init(.bars, .normal, .fine, if: .nothingRead),
        .init(.defocused, .fast, .coarse, if: .nothingRead),
        .init(.zbarSquare, .fast, .coarse, if: .nothingRead),
        .init(.qrGuess, .normal, .fineAndSmaller, if: .nothingRead),
        .init(.qrSquares, .normal, .coarseAndSmaller, if: .nothingRead),
        .init(.qr, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.microQR, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.aztec, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.dataMatrix, .normal, .largerThanCoarse, if: .nothingReadOrSmallModules),
        .init(.doubled, .normal, .full, if: .nothingRead),
        .init(.pdf417, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.microPDF417, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.hanXin, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.dotCode, .normal, .finest, if: .nothingReadOrSmallModules),
        .init(.postal, .normal, .finest, if: .nothingRead),

        .init(.dataMatrix, .normal, .coarseAndSmaller, if: .nothingRead, by: .light),
        .init(.qr, .normal, .coarseAndSmaller, if: .nothingReadAndShadow, by: .shadow),
        .init(.aztec, .normal, .coarseAndSmaller, if: .nothingReadAndShadow, by: .shadow),
        .init(.dataMatrix, .normal, .coarseAndSmaller, if: .nothingReadAndShadow, by: .shadow),
        .init(.qr, .normal, .coarse, if: .nothingRead, by: .midrange),
        .init(.qrSquares, .normal, .coarse, if: .nothingRead, by: .midrange),
        .init(.qr, .normal, .coarseAndSmaller, if: .nothingReadAndNoFinderPair, by: .pale),
        .init(.microQR, .normal, .coarseAndSmaller, if: .nothingReadAndNoFinderPair, by: .pale),
        .init(.dataMatrix, .normal, .coarseAndSmaller, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.aztec, .normal, .coarseAndSmaller, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.fields, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.stackedRows, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.pdf417, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.microPDF417, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.maxiCode, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.hanXin, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),
        .init(.dotCode, .normal, .coarse, if: .nothingReadAndLittleContrast, by: .pale),

        .init(.textured, .normal, .coarse, if: .nothingRead),
        .init(.sharpened, .normal, .coarse, if: .nothingRead),

        .init(.dataMatrix, .normal, .all, if: .oneLightWasRead, by: .light),
        .init(.dataMatrix, .normal, .coarseAndSmaller, if: .oneWasReadAndShadow, by: .shadow),
        .init(.dataMatrix, .normal, .largerThanCoarse, if: .oneWasReadAndShadow, by: .shadow),
        .init(.qrBeside, .normal, .coarseAndSmaller, if: .oneWasReadOrFinderPair, by: .shadow),
        .init(.qrGuessBeside, .normal, .fineAndSmaller, if: .oneWasReadOrFinderPair),
        .init(.qrGuessBeside, .normal, .finest, if: .smallModules),
        .init(.qrSquaresBeside, .normal, .coarseAndSmaller, if: .oneWasReadOrFinderPair),
        .init(.qrBeside, .normal, .coarse, if: .oneWasReadOrFinderPair, by: .midrange),
        .init(.qrSquaresBeside, .normal, .coarse, if: .oneWasReadOrFinderPair, by: .midrange),
        .init(.qrCloser, .normal, .twiceFine, if: .oneWasReadOrFinderPair),
        .init(.qrBent, .normal, .coarse),
        .init(.zbarCareful, .normal, .coarse),
        .init(.zbarQR, .normal, .smallerThanCoarse, if: .nothingRead),
        .init(.zbarBarsInverted, .fast, .coarse, if: .nothingRead),

        .init(.qr, .thorough, .all),
        .init(.microQR, .thorough, .all),
        .init(.dataMatrix, .thorough, .all),
        .init(.dataMatrixDots, .thorough, .all, if: .nothingRead),
        .init(.qrGuess, .thorough, .all),
        .init(.aztec, .thorough, .all),
        .init(.maxiCode, .thorough, .all),
        .init(.hanXin, .thorough, .all),
        .init(.bars, .thorough, .coarseAndLarger),
        .init(.zbarEveryLine, .thorough, .allFromLargest),
        .init(.zbarEveryLineInverted, .thorough, .coarseAndSmallerFromLargest),

        .init(.aztecEveryRow, .normal, .coarseAndFine, if: .oneWasRead),
        .init(.enlarged, .normal, .full, if: .oneWasRead),
        .init(.unreadParts, .normal, .full),
        .init(.cornerAreas, .normal, .coarse),
        .init(.qrInside, .normal, .full, if: .oneWasRead),
        .init(.addOns, .normal, .coarse),
        .init(.composite, .normal, .coarse),
        .init(.compositePDF417, .normal, .coarse),
        .init(.compositeBelow, .normal, .coarse),
        .init(.withMargin, .normal, .full, if: .nothingRead),
        .init(.barsAveraged, .normal, .coarseAndFine, if: .nothingRead),
        .init(.barsEnlarged, .normal, .full),
    ]

    /// Returns the schedule without some methods.
    static func schedule(without left: [Method]) -> [SearchStrategy] {
        let names = Set(left.map(\.name))
        return schedule.filter { !names.contains($0.method.name) }
    }

    /// The searches that find most symbols, for another version of an image in which nothing was read.
    static let basic: [SearchStrategy] = [
        .init(.qr, .fast, .coarse), .init(.aztec, .fast, .coarse), .init(.microQR, .fast, .coarse),
        .init(.pdf417, .fast, .coarse), .init(.fields, .fast, .coarse), .init(.maxiCode, .fast, .coarse),
        .init(.dataMatrix, .fast, .coarse), .init(.microPDF417, .fast, .coarse),
        .init(.hanXin, .fast, .coarse), .init(.dotCode, .fast, .coarse),
    ]
    /// The searches of an area full of corners: those that read most symbols there for their time.
    static let ofAreas: [SearchStrategy] =
        basic + [
            .init(.qrSquares, .fast, .coarse), .init(.qrSquares, .fast, .coarse, by: .midrange),
            .init(.fittedFields, .fast, .coarse),
            // Pale QR Codes are found by the squares.
        ] + schedule.filter { $0.threshold == .pale && $0.method.name != Method.qr.name }
    /// Those of them that search for no linear symbol.
    static let ofMatrixAreas: [SearchStrategy] = ofAreas.filter { strategy in
        strategy.symbologies.allSatisfy { $0.traits.family != .linear }
    }
    /// The searches of such an area at twice its size, for symbols of small modules.
    static let ofEnlargedAreas: [SearchStrategy] = [
        .init(.qr, .fast, .coarse), .init(.microQR, .fast, .coarse), .init(.dataMatrix, .fast, .coarse),
        .init(.qrSquares, .fast, .coarse),
    ]
    /// The searches for blurred linear symbols.
    static let ofBlurredBars: [SearchStrategy] = [.init(.bars, .fast, .coarse), .init(.defocused, .fast, .coarse)]
    /// The searches for the rows of stacked symbols.
    static let ofRows: [SearchStrategy] = [
        .init(.bars, .fast, .coarse), .init(.zbarBars, .fast, .coarse), .init(.stackedRows, .fast, .coarse),
        .init(.zbarBarsInverted, .fast, .coarse),
    ]
}
