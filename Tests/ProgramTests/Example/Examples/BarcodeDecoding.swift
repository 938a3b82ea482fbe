import BarcodeDecoding

func overview(path: String) throws {
    for symbol in try BarcodeDecoder().decode(contentsOf: path) {
        print(symbol.symbology, symbol.text)
    }
}
