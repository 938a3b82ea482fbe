package import Symbols

/// Encodes QR codes for tests: segments in, grid out, in any version, level and mask.
///
/// It shares the tables (blocks, alignment positions, function patterns) with the decoder. The fixtures, which other
/// encoders made, verify these.
package struct QREncoder {
    package enum Segment {
        case numeric([UInt8])
        case alphanumeric([UInt8])
        case bytes([UInt8])
        /// Shift_JIS, two bytes per character.
        case kanji([UInt8])
        /// GB 2312, two bytes per character.
        case hanzi([UInt8])
        case eci(Int)
        case structuredAppend(index: Int, count: Int, parity: UInt8)
        case fnc1First
        case fnc1Second(indicator: UInt8)
        /// Raw bits: the lowest `count` bits of `value`.
        case raw(value: Int, count: Int)
    }

    package struct DoesNotFit: Error {}

    private var bits: [UInt8] = []

    private mutating func put(_ value: Int, _ count: Int) {
        for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }

    /// Returns the data codewords of the segments, with padding.
    package static func dataCodewords(
        _ segments: [Segment], version: Int, level: QRErrorCorrectionLevel
    ) throws -> [UInt8] {
        try dataCodewords(segments, version: version, table: QRBlockTable(version: version, level: level))
    }

    private static func dataCodewords(_ segments: [Segment], version: Int, table: QRBlockTable) throws -> [UInt8] {
        var encoder = QREncoder()
        for segment in segments { encoder.put(segment, sizeClass: QRVersion.countClass(version)) }
        let capacity = table.dataCount * 8
        guard encoder.bits.count <= capacity else { throw DoesNotFit() }
        encoder.put(0, min(4, capacity - encoder.bits.count))
        encoder.put(0, (8 - encoder.bits.count % 8) % 8)
        var codewords = stride(from: 0, to: encoder.bits.count, by: 8).map { start in
            encoder.bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        var pad: UInt8 = 0xEC
        while codewords.count < capacity / 8 {
            codewords.append(pad)
            pad = pad == 0xEC ? 0x11 : 0xEC
        }
        return codewords
    }

    private mutating func put(_ segment: Segment, sizeClass: Int) {
        switch segment {
        case .numeric(let digits):
            put(1, 4)
            put(digits.count, [10, 12, 14][sizeClass])
            for start in stride(from: 0, to: digits.count, by: 3) {
                let group = digits[start..<min(start + 3, digits.count)]
                put(group.reduce(0) { $0 * 10 + Int($1 - 48) }, [4, 7, 10][group.count - 1])
            }
        case .alphanumeric(let characters):
            let table = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)
            put(2, 4)
            put(characters.count, [9, 11, 13][sizeClass])
            for start in stride(from: 0, to: characters.count, by: 2) {
                let pair = characters[start..<min(start + 2, characters.count)]
                put(pair.reduce(0) { $0 * 45 + (table.firstIndex(of: $1) ?? 0) }, [6, 11][pair.count - 1])
            }
        case .bytes(let bytes):
            put(4, 4)
            put(bytes.count, [8, 16, 16][sizeClass])
            for byte in bytes { put(Int(byte), 8) }
        case .kanji(let bytes):
            put(8, 4)
            put(bytes.count / 2, [8, 10, 12][sizeClass])
            for start in stride(from: 0, to: bytes.count, by: 2) {
                let value = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                let offset = value - (value < 0xE040 ? 0x8140 : 0xC140)
                put((offset >> 8) * 0xC0 + (offset & 0xFF), 13)
            }
        case .hanzi(let bytes):
            put(13, 4)
            put(1, 4)
            put(bytes.count / 2, [8, 10, 12][sizeClass])
            for start in stride(from: 0, to: bytes.count, by: 2) {
                let value = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                let offset = value - (bytes[start] <= 0xAA ? 0xA1A1 : 0xA6A1)
                put((offset >> 8) * 0x60 + (offset & 0xFF), 13)
            }
        case .eci(let number):
            put(7, 4)
            if number < 128 {
                put(number, 8)
            } else if number < 16384 {
                put(0b10 << 14 | number, 16)
            } else {
                put(0b110 << 21 | number, 24)
            }
        case .structuredAppend(let index, let count, let parity):
            put(3, 4)
            put(index, 4)
            put(count - 1, 4)
            put(Int(parity), 8)
        case .fnc1First:
            put(5, 4)
        case .fnc1Second(let indicator):
            put(9, 4)
            put(Int(indicator), 8)
        case .raw(let value, let count):
            put(value, count)
        }
    }

    /// Encodes segments.
    package static func encode(
        _ segments: [Segment], version: Int, level: QRErrorCorrectionLevel, mask: Int = 0
    ) throws -> ModuleGrid {
        let data = try dataCodewords(segments, version: version, level: level)
        return place(interleave(data, version: version, level: level), version: version, level: level, mask: mask)
    }

    /// Encodes segments in a symbol of model 1.
    package static func encodeModel1(
        _ segments: [Segment], version: Int, level: QRErrorCorrectionLevel, mask: Int = 0
    ) throws -> ModuleGrid {
        let table = QRModel1.blockTable(version: version, level: level)
        let data = try dataCodewords([.raw(value: 0, count: 4)] + segments, version: version, table: table)
        let checks = stride(from: 0, to: data.count, by: table.shortDataCount).flatMap {
            checkCodewords(Array(data[$0..<$0 + table.shortDataCount]), count: table.checkCount)
        }
        var grid = ModuleGrid(size: 17 + 4 * version)
        let roles = FunctionPatterns.of(version: version).roles
        for (place, role) in roles.enumerated() { grid.modules[place] = role == .dark ? 1 : 0 }
        draw(data + checks, QRModel1.patterns(version: version), mask: mask, &grid)
        // The extension pattern in the corner takes the place of the first four bits.
        for (x, y, isDark) in [(1, 1, true), (2, 1, false), (1, 2, false), (2, 2, true)] {
            grid[grid.size - x, grid.size - y] = isDark
        }
        write(QRModel1.formatWords[level.indicator << 3 | mask], InformationModules.format(size: grid.size), &grid)
        return grid
    }

    private static func draw(
        _ codewords: [UInt8], _ patterns: FunctionPatterns, mask: Int, _ grid: inout ModuleGrid
    ) {
        for (index, place) in patterns.dataOrder.enumerated() {
            let bit = index / 8 < codewords.count ? codewords[index / 8] >> UInt8(7 - index % 8) & 1 : 0
            let (y, x) = Int(place).quotientAndRemainder(dividingBy: patterns.width)
            grid.modules[Int(place)] = bit ^ (QRDataMask.inverts(mask, x: x, y: y) ? 1 : 0)
        }
    }

    /// Splits data codewords into blocks, adds their check codewords, and interleaves them.
    package static func interleave(_ data: [UInt8], version: Int, level: QRErrorCorrectionLevel) -> [UInt8] {
        let table = QRBlockTable(version: version, level: level)
        var start = 0
        var dataBlocks: [[UInt8]] = []
        for block in 0..<table.blockCount {
            let count = table.dataCount(ofBlock: block)
            dataBlocks.append(Array(data[start..<(start + count)]))
            start += count
        }
        let checkBlocks = dataBlocks.map { checkCodewords($0, count: table.checkCount) }
        var result: [UInt8] = []
        for row in 0...table.shortDataCount {
            for block in dataBlocks where row < block.count { result.append(block[row]) }
        }
        for row in 0..<table.checkCount {
            for block in checkBlocks { result.append(block[row]) }
        }
        return result
    }

    /// Returns the check codewords of a block of a QR code.
    package static func checkCodewords(_ data: [UInt8], count: Int) -> [UInt8] {
        checkCodewords(data.map(UInt16.init), count: count, field: .qrCode, firstRoot: 0).map { UInt8($0) }
    }

    /// Returns the remainder of the data divided by the generator polynomial with the roots 2^`firstRoot` and up.
    package static func checkCodewords(
        _ data: [UInt16], count: Int, field: GaloisField, firstRoot: Int
    ) -> [UInt16] {
        var generator: [UInt16] = [1]
        for power in firstRoot..<firstRoot + count {
            var next = generator + [0]
            for index in generator.indices {
                next[index + 1] ^= field.multiply(generator[index], field.exponents[power])
            }
            generator = next
        }
        var remainder = [UInt16](repeating: 0, count: count)
        for codeword in data {
            let factor = codeword ^ remainder[0]
            for index in 0..<(count - 1) {
                remainder[index] = remainder[index + 1] ^ field.multiply(generator[index + 1], factor)
            }
            remainder[count - 1] = field.multiply(generator[count], factor)
        }
        return remainder
    }

    /// Draws codewords, function patterns, and the format and version information.
    package static func place(
        _ codewords: [UInt8], version: Int, level: QRErrorCorrectionLevel, mask: Int
    ) -> ModuleGrid {
        let patterns = FunctionPatterns.of(version: version)
        var grid = ModuleGrid(size: patterns.width)
        for (place, role) in patterns.roles.enumerated() { grid.modules[place] = role == .dark ? 1 : 0 }
        draw(codewords, patterns, mask: mask, &grid)
        write(
            QRFormatInformation.words[level.indicator << 3 | mask], InformationModules.format(size: grid.size), &grid)
        if version >= 7 {
            write(QRVersionInformation.words[version - 7], InformationModules.version(size: grid.size), &grid)
        }
        return grid
    }

    package static func write(_ word: UInt32, _ copies: [[Int]], _ grid: inout ModuleGrid) {
        for places in copies {
            for (index, place) in places.enumerated() {
                grid.modules[place] = UInt8(word >> UInt32(places.count - 1 - index) & 1)
            }
        }
    }
}
