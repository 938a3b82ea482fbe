/// Reads the rotation and mirroring of the primary image of a HEIC or an AVIF, as an EXIF orientation.
///
/// libheif rotates the image itself or does not report this (before 1.16), and EXIF in these files does not count.
///
/// Source: ISO/IEC 23008-12, 6.5.10 "Image rotation" and 6.5.12 "Image mirroring"; 14496-12, 8.11 "Metadata
/// Support".
enum HEIFProperties {
    /// Returns the orientation from 1 to 8; `nil` if the file has none or its boxes are broken.
    static func orientation(of bytes: UnsafeRawBufferPointer) -> Int? {
        guard let meta = MediaBoxes(bytes).first(where: { $0.name == "meta" })?.payload.afterVersion,
            let primary = primaryItem(meta),
            let properties = MediaBoxes(meta).first(where: { $0.name == "iprp" })?.payload,
            let container = MediaBoxes(properties).first(where: { $0.name == "ipco" })?.payload
        else { return nil }
        let boxes = Array(MediaBoxes(container).prefix(32_767))
        var turn = Turn()
        var isTurned = false
        // The transformations apply in the order of the item's associations.
        for association in MediaBoxes(properties) where association.name == "ipma" {
            for index in indices(association.payload, of: primary) where boxes.indices.contains(index - 1) {
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

    /// Returns the property indices of an item, from 1.
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
                // The top bit says whether the property is essential.
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

/// A sequence of rotations and mirrorings.
private struct Turn {
    /// The directions of the transformed image axes: (1, 0) is to the right, (0, 1) is down.
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

    /// The EXIF orientation.
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
