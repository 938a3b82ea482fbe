/// Finds how the primary picture of a HEIC or an AVIF wants to be turned, as EXIF's number.
///
/// libheif turns the picture itself or says nothing (before 1.16), and EXIF inside of these files does not count.
///
/// Source: ISO/IEC 23008-12, 6.5.10 "Image rotation" and 6.5.12 "Image mirroring"; 14496-12, 8.11 "Metadata Support".
enum HEIFProperties {
    /// The orientation from 1 to 8; nil where the file has none or its boxes are broken.
    static func orientation(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let meta = MediaBoxes(bytes).first(where: { $0.name == "meta" })?.payload.afterVersion,
            let primary = primaryItem(meta),
            let properties = MediaBoxes(meta).first(where: { $0.name == "iprp" })?.payload,
            let container = MediaBoxes(properties).first(where: { $0.name == "ipco" })?.payload
        else { return nil }
        let boxes = Array(MediaBoxes(container).prefix(32_767))
        var turn = Turn()
        var isTurned = false
        // The transformations are applied in the order in which the item names them.
        for association in MediaBoxes(properties) where association.name == "ipma" {
            for index in indices(association.payload, of: primary) where (1...boxes.count).contains(index) {
                let box = boxes[index - 1]
                guard let value = box.payload.first else { continue }
                if box.name == "irot" { turn.rotateCounterclockwise(times: Int(value & 3)) }
                if box.name == "imir" { turn.mirror(leftAndRight: value & 1 == 1) }
                isTurned = isTurned || box.name == "irot" || box.name == "imir"
            }
        }
        return isTurned ? turn.orientation : nil
    }

    private static func primaryItem(_ meta: UnsafeRawBufferPointer) -> Int? {
        guard let payload = MediaBoxes(meta).first(where: { $0.name == "pitm" })?.payload, let version = payload.first
        else { return nil }
        return version == 0 ? payload.bigEndian16(at: 4) : payload.bigEndian32(at: 4)
    }

    /// The numbers, from 1, of the properties that an item has.
    private static func indices(_ payload: UnsafeRawBufferPointer, of item: Int) -> [Int] {
        guard let flags = payload.bigEndian32(at: 0), let count = payload.bigEndian32(at: 4) else { return [] }
        let hasLongNames = flags >> 24 > 0
        let hasLongIndices = flags & 1 == 1
        var position = 8
        for _ in 0..<count {
            let name = hasLongNames ? payload.bigEndian32(at: position) : payload.bigEndian16(at: position)
            position += hasLongNames ? 4 : 2
            guard let name, position < payload.count else { return [] }
            let properties = Int(payload[position])
            position += 1
            if name == item {
                // The uppermost bit says whether the property is essential.
                return (0..<properties).compactMap { index in
                    hasLongIndices
                        ? payload.bigEndian16(at: position + 2 * index).map { $0 & 0x7FFF }
                        : payload.slice(at: position + index, count: 1).map { Int($0[0] & 0x7F) }
                }
            }
            position += properties * (hasLongIndices ? 2 : 1)
        }
        return []
    }
}

/// Turns and mirrorings one after the other.
private struct Turn {
    /// Where the picture's axes point once it is turned: to the right is (1, 0), downwards (0, 1).
    private var right = (1, 0)
    private var down = (0, 1)

    mutating func rotateCounterclockwise(times: Int) {
        for _ in 0..<times {
            right = (right.1, -right.0)
            down = (down.1, -down.0)
        }
    }

    mutating func mirror(leftAndRight: Bool) {
        if leftAndRight {
            right.0 = -right.0
            down.0 = -down.0
        } else {
            right.1 = -right.1
            down.1 = -down.1
        }
    }

    /// EXIF's number.
    var orientation: Int {
        switch (right, down) {
        case ((-1, 0), (0, 1)): 2
        case ((-1, 0), (0, -1)): 3
        case ((1, 0), (0, -1)): 4
        case ((0, 1), (1, 0)): 5
        case ((0, 1), (-1, 0)): 6
        case ((0, -1), (-1, 0)): 7
        case ((0, -1), (1, 0)): 8
        default: 1
        }
    }
}
