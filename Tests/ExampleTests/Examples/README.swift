import BarcodeDecoding

func readMe() throws {
    let options = DecodeOptions(formats: [.qrCode, .code128, .ean13], effort: .normal)
    // Throws a DecodeError; a picture without a symbol is an empty array.
    for symbol in try BarcodeDecoder().decode(contentsOf: "Samples/order-form.png", options: options) {
        print(symbol.format, symbol.text, symbol.bytes.count, symbol.corners.topLeft)
    }
}
