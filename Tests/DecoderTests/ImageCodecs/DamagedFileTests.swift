import BarcodeCore
import ImageCodecs
import TestSupport
import Testing

/// Truncated, corrupt and malicious files.
@Suite struct DamagedFileTests {
    /// The rows above `decodedRows` must not be all white; those below must be white.
    @Test(arguments: Fixtures.all)
    func fileThatIsCutOffGivesWhatItHas(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        for tenth in 0..<10 {
            let part = Array(bytes[..<(bytes.count * tenth / 10)])
            do throws(DecodeError) {
                let loaded = try ImageLoader().load(part)
                #expect(loaded.isTruncated, "at \(tenth)/10")
                #expect(loaded.damage != nil)
                #expect((1...loaded.height).contains(loaded.decodedRows))
                let missing = Gray(loaded.image).pixels[(loaded.decodedRows * loaded.width)...]
                #expect(missing.allSatisfy { $0 == 255 })
            } catch {
                let code: DecodeError.Code = tenth == 0 ? .emptyFile : part.count < 12 ? error.code : .corrupt
                #expect(error.code == code, "at \(tenth)/10: \(error)")
            }
        }
    }

    /// The rows of a truncated file equal those of the whole one.
    @Test(arguments: [
        ("jpeg-420.jpg", 16), ("jpeg-grey.jpg", 24), ("png-rgb8.png", 10), ("png-rgb16.png", 10),
        ("png-grey16.png", 10), ("pnm-p6.ppm", 20), ("webp-lossless-alpha.webp", 8), ("webp-lossy.webp", 8),
        ("png-rgb8-i.png", 29), ("jpeg-progressive.jpg", 48),
    ])
    func rowsBeforeTheCutAreRight(file: String, atLeast: Int) throws {
        let bytes = try Fixtures.bytes(file)
        let whole = try ImageLoader().load(bytes)
        let part = try ImageLoader().load(Array(bytes[..<(bytes.count * 8 / 10)]))
        #expect(part.isTruncated)
        #expect(part.decodedRows >= atLeast)
        if part.decodedRows < part.height {
            let count = part.decodedRows * part.width
            #expect(Gray(part.image).pixels[..<count] == Gray(whole.image).pixels[..<count])
            #expect(part.damage == "is cut off: \(part.decodedRows) of \(part.height) rows could be decoded")
        } else {
            // Coarse, but recognizable.
            #expect(Gray(part.image).difference(to: Gray(whole.image)).mean < 40)
            #expect(part.damage == "is cut off near its end")
        }
    }

    /// Many programs write the directory of a TIFF after its pixels; without the directory, their location is
    /// unknown.
    @Test(arguments: [
        ("in the pixels", "tiff-grey.tif", 0.5), ("in the directory", "tiff-lzw.tif", 0.9),
        ("BigTIFF", "tiff-big.tif", 0.9), ("tiles", "tiff-tiles.tif", 0.5),
    ])
    func tiffWithoutItsDirectory(_ name: String, _ file: String, _ part: Double) throws {
        let bytes = try Fixtures.bytes(file)
        let cutOff = Array(bytes[..<Int(Double(bytes.count) * part)])
        let error = failure { () throws(DecodeError) in try ImageLoader().load(cutOff) }
        #expect(
            error
                == DecodeError(
                    .corrupt,
                    "is a TIFF that is cut off within its directory, so that no part of it can be decoded; "
                        + "get the file again"), "\(name)")
        var swapped = cutOff
        swapped.replaceSubrange(0..<8, with: [0x4D, 0x4D, 0, 0x2A, 0, 1, 0, 0])
        #expect(failure { () throws(DecodeError) in try ImageLoader().load(swapped) } == error, "big-endian")
        // A directory that exists but is corrupt gives another error.
        let broken: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 64)
        let other = failure { () throws(DecodeError) in try ImageLoader().load(broken) }
        #expect(other?.code == .corrupt && other?.message.contains("cut off") == false, "\(String(describing: other))")
    }

    @Test func jpegWithoutItsEndMarkerIsWhole() throws {
        let bytes = try Fixtures.bytes("jpeg-420.jpg")
        let loaded = try ImageLoader().load(Array(bytes.dropLast(2)))
        #expect(loaded.decodedRows == 48)
        #expect(loaded.isTruncated)
        #expect(loaded.damage == "is cut off near its end")
        #expect(Gray(loaded.image) == Gray(try ImageLoader().load(bytes).image))
    }

    @Test func wrongSumOfPixelsIsReported() throws {
        for file in ["png-grey8.png", "png-rgb8-i.png"] {
            var bytes = try Fixtures.bytes(file)
            // IDAT is followed by its checksum and the twelve bytes of IEND.
            bytes[bytes.count - 13] ^= 1
            let loaded = try ImageLoader().load(bytes)
            #expect(loaded.isTruncated)
            #expect(loaded.damage == "is damaged: the checksum of its pixels is wrong")
            #expect(loaded.decodedRows == loaded.height)
            #expect(Gray(loaded.image) == Gray(try ImageLoader().load(Fixtures.bytes(file)).image))
        }
    }

    @Test func wrongSumOfAHeaderIsAnError() throws {
        var header = try Fixtures.bytes("png-grey8.png")
        header[29] ^= 1
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(header) }
                == DecodeError(.corrupt, "is a PNG with a broken header (IHDR: CRC error)"))
        var palette = try Fixtures.bytes("png-palette8.png")
        // IHDR ends at 33; the 768 bytes of PLTE follow 8 bytes of header.
        palette[33 + 8 + 768] ^= 1
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(palette) }
                == DecodeError(.corrupt, "is a PNG with a broken header (PLTE: CRC error)"))
    }

    @Test func damageInTheMiddleOfAJPEGIsReported() throws {
        var bytes = try Fixtures.bytes("jpeg-restart.jpg")
        // Replaces the first restart marker with data.
        let marker = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD0 })
        bytes[marker + 1] = 0
        let loaded = try ImageLoader().load(bytes)
        #expect(loaded.damage == "is damaged")
        #expect(!loaded.isTruncated)
        #expect(loaded.decodedRows == 48)
    }

    @Test(arguments: [
        ("12 bits a sample", 4, 12, "Unsupported JPEG data precision 12"),
        ("lossless", 1, 0xC3, "Unsupported JPEG process: SOF type 0xc3"),
    ])
    func kindOfJPEGThatTheLibraryLacks(label: String, offset: Int, value: Int, detail: String) throws {
        var bytes = try Fixtures.bytes("jpeg-420.jpg")
        let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes[frame + offset] = UInt8(value)
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(bytes) }
                == DecodeError(
                    .unsupportedFormat,
                    "is a JPEG of an unsupported kind (\(detail)); convert it to PNG with ImageMagick's `convert`"))
    }

    @Test func jpegOfThousandsOfScansIsRefused() throws {
        let bytes = try Fixtures.bytes("jpeg-progressive.jpg")
        let scan = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        let last = bytes[scan..<(bytes.count - 2)]
        var bomb = Array(bytes.dropLast(2))
        for _ in 0..<2000 { bomb += last }
        #expect(
            failure { () throws(DecodeError) in try ImageLoader().load(bomb + [0xFF, 0xD9]) }
                == DecodeError(
                    .tooLarge, "is a progressive JPEG with too many scans (more than 500); it may be hostile"))
    }

    /// Files with randomly changed bytes never cause a crash.
    @Test(arguments: Fixtures.all)
    func changedBytesNeverCrash(file: String) throws {
        let bytes = try Fixtures.bytes(file)
        let seed = UInt64.random(in: 0 ... .max)
        print("\(file): seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let loader = ImageLoader(limits: Limits(maximumPixels: 4_000_000), maximumWorkingBytes: 32_000_000)
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(in: changed.indices, using: &generator)
                changed[position] = .random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) {
                changed.removeLast(Int.random(in: 0..<changed.count, using: &generator))
            }
            do throws(DecodeError) {
                let loaded = try loader.load(changed, scale: [1, 2, 8][Int.random(in: 0...2, using: &generator)])
                #expect((1...loaded.image.height).contains(loaded.decodedRows))
                #expect((1...8).contains(loaded.orientation))
            } catch {
                #expect(error.subject == nil)
            }
        }
    }
}
