import BarcodeDecoding

enum DecodingAPicture {
    static func file(path: String) throws {
        let decoder = BarcodeDecoder()
        for symbol in try decoder.decode(contentsOf: path) {
            print(symbol.symbology, symbol.text, symbol.corners.topLeft)
        }
    }

    static func options(_ decoder: BarcodeDecoder, bytes: [UInt8]) throws -> [Symbol] {
        let options = DecodeOptions(
            symbologies: [.qrCode, .ean13], effort: .fast, timeBudget: .milliseconds(200), maximumCount: 1)
        let symbols = try decoder.decode(bytes: bytes, options: options)
        return symbols
    }

    static func task(_ decoder: BarcodeDecoder, path: String) async throws -> [Symbol] {
        let symbols = try await decoder.decode(contentsOf: path)
        return symbols
    }

    static func pool(_ decoder: BarcodeDecoder, upload: [UInt8]) async throws -> [Symbol] {
        let pool = DecodingPool(maximumThreads: 2)
        let symbols = try await decoder.decode(bytes: upload, on: pool)
        return symbols
    }

    static func pixels(_ decoder: BarcodeDecoder, width: Int, height: Int, luma: [UInt8]) throws -> [Symbol] {
        let image = LumaImage(width: width, height: height, pixels: luma)
        let symbols = try decoder.decode(image)
        return symbols
    }

    static func errors(_ decoder: BarcodeDecoder, path: String) throws -> [Symbol] {
        do {
            return try decoder.decode(contentsOf: path)
        } catch  where error.code == .unsupportedFormat {
            return []
        }
    }

    static func trusted(_ symbols: [Symbol]) -> [Symbol] {
        let trusted = symbols.filter { ($0.confidence ?? 0) >= 0.99 }
        return trusted
    }
}
