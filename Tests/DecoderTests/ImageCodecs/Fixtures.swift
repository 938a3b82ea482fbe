import BarcodeCore
import Glibc
import ImageCodecs
import Testing

/// The pictures of the folder `Fixtures`, which its script `make.sh` creates.
enum Fixtures {
    static let folder = String(#filePath.dropLast("Fixtures.swift".count)) + "Fixtures/"

    static func path(_ name: String) -> String { folder + name }

    /// Returns the bytes of a fixture, read without the module under test.
    static func bytes(_ name: String) throws -> [UInt8] {
        try readFile(path(name))
    }

    static func readFile(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "rb"), "no fixture at \(path)")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65536)
        while case let got = fread(&block, 1, block.count, file), got > 0 {
            bytes += block[..<got]
        }
        return bytes
    }

    /// Returns one of the gray pictures that the others are compared with.
    static func expected(_ name: String) throws -> Gray {
        let bytes = try bytes(name)
        let header = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        let size = String(decoding: header[1], as: UTF8.self).split(separator: " ")
        return Gray(
            width: try #require(Int(size[0])), height: try #require(Int(size[1])), pixels: Array(header[3]))
    }

    static let samples =
        DecodingTests.pngs + DecodingTests.jpegs + DecodingTests.webps + DecodingTests.pnms + LoadedCodecSamples.all

    static let all: [String] =
        samples.map(\.file)
        + [
            "png-exif-3-behind.png", "webp-exif-8.webp", "jpeg-exif-6.jpg", "avif-grid.avif", "avif-irot-1-imir-1.avif",
            "tiff-exif-6.tif",
        ]
}

/// A gray picture as plain values.
struct Gray: Equatable {
    var width: Int
    var height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    init(_ image: LumaImage) {
        width = image.width
        height = image.height
        pixels = image.withUnsafePixels { Array($0) }
    }

    /// Returns the maximum and the mean difference to a picture of the same size.
    func difference(to other: Gray) -> (largest: Int, mean: Double) {
        let differences = zip(pixels, other.pixels).map { abs(Int($0) - Int($1)) }
        return (differences.max() ?? 0, Double(differences.reduce(0, +)) / Double(max(differences.count, 1)))
    }
}

/// Returns the error of `load`; `nil` if it succeeds.
func failure(_ body: () throws(DecodeError) -> LoadedImage) -> DecodeError? {
    do throws(DecodeError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
