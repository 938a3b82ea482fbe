import BarcodeCore
import CFuzzer
import Glibc

@testable import Symbols

/// Fuzzes this project's decoders after the locating step: bits, module grids, element widths, brightness profiles.
@main
enum Fuzz {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { testOneInput($0, $1) })
    }

    static let linear = LinearReader(symbologies: LinearReader.supportedSymbologies)
}

/// The first byte chooses the decoder, the second its version, size or width; the other bytes are its input.
private func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2, let start else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    switch start[0] % 21 {
    case 0: parseBits(input, version: Int(start[1]) % 40 + 1)
    case 1: decodeGrid(input, version: Int(start[1]) % 40 + 1)
    case 2: readProfile(widths(input, unit: Float(start[1] % 8 + 1)))
    case 4: parseCodewords(input)
    case 5: decodeDataMatrix(input, size: DataMatrixSize.all[Int(start[1]) % DataMatrixSize.all.count])
    case 6: parseAztecBits(input)
    case 7: decodeAztec(input, size: AztecSize.all[Int(start[1]) % AztecSize.all.count])
    case 8: searchDataMatrix(input, width: Int(start[1]) + 1)
    case 9: parseBits(input, of: microQRSizes[Int(start[1]) % microQRSizes.count])
    case 10: decodeMicroQR(input, size: microQRSizes[Int(start[1]) % microQRSizes.count])
    case 11: parsePDF417(input)
    case 12: parseMaxiCode(input, mode: Int(start[1]) % 5 + 2)
    case 13: decodeMaxiCode(input)
    case 14: parseMicroPDF417(input, size: MicroPDF417Size.all[Int(start[1]) % MicroPDF417Size.all.count])
    case 15: nameForms(input)
    case 16: readFilmEdge(input, width: Int(start[1]) + 1)
    case 17: decodeHanXin(input, version: Int(start[1]) % 84 + 1)
    case 18: readPostal(input, width: Int(start[1]) + 1)
    case 19: decodeDotCode(input, width: Int(start[1]) + 1)
    case 20: decodeComposite(input, size: compositeSizes[Int(start[1]) % compositeSizes.count])
    default: readProfile(input.prefix(600).map(Float.init))
    }
    return 0
}

private func parseBits(_ data: [UInt8], version: Int) {
    guard let message = try? QRMessageParser.parse(data, version: version) else { return }
    // 10 bits encode three digits; FNC1 and the application indicator add at most two characters.
    precondition(message.bytes.count <= data.count * 8 / 3 + 2, "a message longer than its bits")
    check(message.segments, of: message.bytes)
}

private let microQRSizes = MicroQRSize.squares + MicroQRSize.rectangles

private func parseBits(_ data: [UInt8], of size: MicroQRSize) {
    guard let message = try? QRMessageParser.parse(data, bitCount: data.count * 8 - 4, format: size.segmentFormat)
    else {
        return
    }
    precondition(message.bytes.count <= data.count * 8 / 3 + 2, "a message longer than its bits")
    check(message.segments, of: message.bytes)
}

/// The function patterns are drawn over the bits, because random ones would never be valid.
private func decodeMicroQR(_ bits: [UInt8], size: MicroQRSize) {
    var grid = ModuleGrid(width: size.width, height: size.height)
    fill(&grid, bits)
    for (place, role) in size.patterns.roles.enumerated() where role == .dark || role == .light {
        grid.modules[place] = role == .dark ? 1 : 0
    }
    do {
        let message = try MicroQRDecoder.decode(grid)
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

private func decodeGrid(_ bits: [UInt8], version: Int) {
    var grid = ModuleGrid(size: QRVersion.size(version))
    fill(&grid, bits)
    do {
        let message = try QRDecoder.decode(grid)
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

private func fill(_ grid: inout ModuleGrid, _ bits: [UInt8]) {
    for index in 0..<min(bits.count * 8, grid.width * grid.height) {
        grid[index % grid.width, index / grid.width] = bits[index / 8] >> UInt8(index % 8) & 1 == 1
    }
}

private func parseCodewords(_ data: [UInt8]) {
    guard let message = try? DataMatrixMessageParser.parse(data) else { return }
    // A codeword encodes two digits, and a macro stands for nine bytes.
    precondition(message.bytes.count <= data.count * 2 + 9, "a message longer than its codewords")
    check(message.segments, of: message.bytes)
}

private let compositeSizes = MicroPDF417Size.compositeA + MicroPDF417Size.all

private func decodeComposite(_ input: [UInt8], size: MicroPDF417Size) {
    let codewords = codewords417(input)
    var whole = Array(codewords.prefix(size.codewordCount))
    whole += [Int](repeating: 0, count: size.codewordCount - whole.count)
    let confidences = whole.indices.map { Float($0 % 7) }
    if let contents = try? CompositeDecoder.decode(whole, confidences: confidences, size: size) {
        precondition(contents.bytes.count <= whole.count * 3 + 16, "a message longer than its codewords")
    }
    if let contents = try? CompositeDecoder.contents(base928: codewords[...], changes: 0) {
        precondition(contents.bytes.count <= codewords.count * 3 + 16, "a message longer than its codewords")
    }
}

/// Converts two bytes to a codeword.
private func codewords417(_ input: [UInt8]) -> [Int] {
    stride(from: 0, to: input.count - 1, by: 2).map { (Int(input[$0]) << 8 | Int(input[$0 + 1])) % 929 }
}

private func parseMicroPDF417(_ input: [UInt8], size: MicroPDF417Size) {
    let codewords = codewords417(input)
    if let message = try? PDF417MessageParser.parse(codewords, isMicro: true) {
        // The header and the trailer of ISO/IEC 15434 have nine bytes.
        precondition(message.bytes.count <= codewords.count * 3 + 9, "a message longer than its codewords")
        check(message.segments, of: message.bytes)
    }
    if let message = try? MicroPDF417Decoder.decode(codewords, size: size) {
        check(message.segments, of: message.bytes)
    }
}

private func parsePDF417(_ input: [UInt8]) {
    let codewords = codewords417(input)
    if let message = try? PDF417MessageParser.parse(codewords) {
        // 15 codewords encode 44 digits.
        precondition(message.bytes.count <= codewords.count * 3, "a message longer than its codewords")
        check(message.segments, of: message.bytes)
    }
    guard let size = PDF417Size(rows: 6, columns: codewords.count / 6, level: 2) else { return }
    let whole = Array(codewords.prefix(size.codewordCount))
    if let message = try? PDF417Decoder.decode(whole, size: size) { check(message.segments, of: message.bytes) }
}

/// The borders are drawn over the bits, because random ones would never be valid.
private func decodeDataMatrix(_ bits: [UInt8], size: DataMatrixSize) {
    let placement = DataMatrixPlacement.of(size)
    var grid = ModuleGrid(width: size.columns, height: size.rows)
    fill(&grid, bits)
    for place in placement.darkBorder { grid.modules[Int(place)] = 1 }
    for place in placement.lightBorder { grid.modules[Int(place)] = 0 }
    do {
        let message = try DataMatrixDecoder.decode(grid)
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

private func parseAztecBits(_ data: [UInt8]) {
    guard let message = try? AztecMessageParser.parse(BitStream(data), codewordBits: 8) else { return }
    // One 5-bit code often stands for two characters.
    precondition(message.bytes.count <= data.count * 16 / 5, "a message longer than its bits")
    check(message.segments, of: message.bytes)
}

/// The first two bytes give the mode message, because a random core would never be valid.
private func decodeAztec(_ bits: [UInt8], size: AztecSize) {
    let dataCount = bits.prefix(2).reduce(0) { $0 << 8 | Int($1) } % size.codewordCount
    let mode = AztecMode(
        size: size, dataCount: max(1, dataCount), orientation: AztecOrientation(quarters: 0, isMirrored: false),
        wrong: 0)
    var grid = ModuleGrid(size: size.side)
    fill(&grid, Array(bits.dropFirst(2)))
    _ = try? AztecDecoder.decode(grid)
    do {
        let message = try AztecDecoder.decode(grid, mode, AztecPlacement(size))
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

private func parseMaxiCode(_ data: [UInt8], mode: Int) {
    let codewords = data.prefix(MaxiCodePlacement.codewordCount).map { $0 & 63 }
    guard codewords.count >= 10,
        let message = try? MaxiCodeDecoder.parse(
            primary: Array(codewords[..<10]), secondary: Array(codewords[10...]), mode: mode)
    else { return }
    // Six codewords encode nine digits, and a carrier message has 18 bytes.
    precondition(message.bytes.count <= codewords.count * 3 / 2 + 18, "a message longer than its codewords")
    check(message.segments, of: message.bytes)
}

/// The orientation modules are drawn over the bits, because random ones would rarely be valid.
private func decodeMaxiCode(_ bits: [UInt8]) {
    var grid = ModuleGrid(width: 30, height: 33)
    fill(&grid, bits)
    for mark in MaxiCodeLayout.orientationMarks { grid[mark.x, mark.y] = mark.isDark }
    do {
        let message = try MaxiCodeDecoder.decode(grid)
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

/// The function information is drawn over the bits, because random ones would never be valid.
private func decodeHanXin(_ bits: [UInt8], version: Int) {
    if let parser = try? HanXinMessageParser.parse(BitStream(bits)) {
        // Ten bits encode three digits.
        precondition(parser.bytes.count <= bits.count * 8 / 3, "a message longer than its bits")
        check(parser.segments, of: parser.bytes)
    }
    guard let version = HanXinVersion(version) else { return }
    let patterns = HanXinPatterns.of(version)
    var grid = ModuleGrid(size: version.size)
    fill(&grid, bits)
    for (place, role) in patterns.roles.enumerated() where role == .dark || role == .light {
        grid.modules[place] = role == .dark ? 1 : 0
    }
    do {
        let message = try HanXinDecoder.decode(grid)
        check(message.segments, of: message.bytes)
    } catch {
        precondition(!error.message.isEmpty, "an error without a message")
    }
}

/// Uses the bytes as codewords, as dots of a grid, and as the pixels of a picture that is searched for lattices.
private func decodeDotCode(_ bytes: [UInt8], width: Int) {
    if let parser = try? DotCodeMessageParser.parse(bytes.map { Int($0) % 113 }) {
        // One codeword stands for ten characters and three pairs of digits, or for the header of a macro.
        precondition(parser.bytes.count <= 10 * bytes.count + 10, "a message longer than its codewords")
        check(parser.segments, of: parser.bytes)
    }
    let height = bytes.count / width
    guard height > 0 else { return }
    var grid = ModuleGrid(width: width, height: height)
    for place in 0..<width * height { grid.modules[place] = bytes[place] & 1 }
    _ = try? DotCodeDecoder.decode(grid)
    let image = LumaImage(width: width, height: height) { target in
        for place in 0..<width * height { target[place] = bytes[place] }
    }
    for isLight in [false, true] {
        for lattice in DotLocator(BinaryImage(image), isLight: isLight, coresOf: width % 2 == 0 ? image : nil).lattices
        {
            _ = try? DotCodeReader().read(
                image, map: lattice.map, columns: lattice.columns, rows: lattice.rows, isInverted: isLight)
        }
    }
}

/// Locates and decodes symbols in a gray picture of the given width; missing pixels of the last row are white.
private func searchDataMatrix(_ pixels: [UInt8], width: Int) {
    let height = (pixels.count + width - 1) / width
    let image = LumaImage(width: width, height: height) { target in
        for index in 0..<width * height { target[index] = index < pixels.count ? pixels[index] : 255 }
    }
    for place in DataMatrixLocator(BinaryImage(image)).candidates.prefix(3) {
        for shape in [DataMatrixReader.Shape.flat, .uneven, .bent] {
            let reading = try? DataMatrixReader(maximumAttempts: 4).read(
                image, solidCorners: place.corners, columns: place.columns, rows: place.rows,
                isInverted: place.isInverted, shape: shape)
            if let reading { check(reading.message.segments, of: reading.message.bytes) }
        }
    }
}

private func check(_ segments: [Reading.Segment], of bytes: [UInt8]) {
    var end = 0
    for segment in segments {
        precondition(segment.range.lowerBound == end, "segments with a gap or an overlap")
        end = segment.range.upperBound
    }
    precondition(end == bytes.count, "bytes in no segment")
}

/// Creates a profile of alternating bars and spaces; the bytes are widths in halves of a unit.
private func widths(_ bytes: [UInt8], unit: Float) -> [Float] {
    var profile = [Float](repeating: 255, count: 40)
    for (index, byte) in bytes.prefix(120).enumerated() {
        let count = min(max(Int(Float(byte % 16) * unit / 2), 1), 60)
        profile += repeatElement(index.isMultiple(of: 2) ? 0 : 255, count: count)
    }
    return profile + [Float](repeating: 255, count: 40)
}

private func readProfile(_ profile: [Float]) {
    let profiles = [profile, profile, profile, profile]
    for answer in Fuzz.linear.read(profiles) + Fuzz.linear.readStacked(profiles) {
        precondition(LinearReader.supportedSymbologies.contains(answer.symbology), "the symbology was not requested")
        precondition(!answer.bytes.isEmpty, "a linear symbol without a message")
        precondition(answer.range.lowerBound >= -1 && answer.range.upperBound <= Double(profile.count) + 1, "outside")
    }
    for layout in [Symbology.ean13, .ean8, .upcE] {
        guard let answer = EANReader().bestAnswer(profiles, layout: layout) else { continue }
        precondition(answer.bytes.allSatisfy { (0x30...0x39).contains($0) }, "a character is not a digit")
    }
}

private let anywhere = Quadrilateral(
    topLeft: Point(x: 0, y: 0), topRight: Point(x: 1, y: 0), bottomRight: Point(x: 1, y: 1),
    bottomLeft: Point(x: 0, y: 1))

/// Parses a message in each of its variants, alone and together with the plain one.
private func nameForms(_ bytes: [UInt8]) {
    for plain: Symbology in [.code39, .itf, .telepen] {
        let reading = Reading(symbology: plain, bytes: bytes, corners: anywhere)
        for form in LinearForm.symbologies {
            for wanted in [[form], [form, plain]] as [Set<Symbology>] {
                guard let named = LinearForm.named(reading, symbologies: wanted) else { continue }
                precondition(wanted.contains(named.symbology), "a form that nobody asked for")
                precondition(named.bytes.count <= bytes.count * 2 + 4, "a message longer than its characters")
            }
        }
    }
}

/// Uses the bytes as bars, and as the pixels of a picture that is searched for rows of bars.
private func readPostal(_ bytes: [UInt8], width: Int) {
    let reader = PostalReader(symbologies: PostalReader.supportedSymbologies)
    let bars = bytes.prefix(160).map { PostalBar(hasAscender: $0 & 1 == 1, hasDescender: $0 & 2 == 2) }
    if let answer = reader.read(bars) {
        precondition(!answer.bytes.isEmpty && answer.bytes.count <= bars.count, "a message longer than its bars")
    }
    let height = bytes.count / width
    guard height > 0 else { return }
    let image = LumaImage(width: width, height: height) { target in
        for place in 0..<width * height { target[place] = bytes[place] }
    }
    for row in PostalLocator(BinaryImage(image)).rows {
        _ = reader.read(row.bars.map { PostalBar(hasAscender: $0.up, hasDescender: $0.down) })
    }
}

/// Uses the bytes as the pixels of a picture that is searched for clock tracks and the data beside them.
private func readFilmEdge(_ pixels: [UInt8], width: Int) {
    let height = pixels.count / width
    guard height > 0 else { return }
    let image = LumaImage(width: width, height: height) { target in
        for place in 0..<width * height { target[place] = pixels[place] }
    }
    for clock in FilmClockLocator(BinaryImage(image), step: 1).clocks {
        _ = FilmEdgeReader().read(image, start: clock.start, end: clock.end, modules: clock.modules)
    }
    for modules in [31, 23] {
        _ = FilmEdgeReader().read(
            image, start: Point(x: 0, y: 0), end: Point(x: Double(width), y: Double(height)), modules: modules)
    }
}
