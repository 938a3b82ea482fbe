import BarcodeDecoding

func readMe() throws {
    let options = DecodeOptions(symbologies: [.qrCode, .code128, .ean13], effort: .normal)
    // Throws a DecodeError; a picture without a symbol is an empty array.
    for symbol in try BarcodeDecoder().decode(contentsOf: "Samples/order-form.png", options: options) {
        print(symbol.symbology, symbol.text, symbol.bytes.count, symbol.corners.topLeft)
    }
}
