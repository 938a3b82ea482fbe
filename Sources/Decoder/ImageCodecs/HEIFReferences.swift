/// The references that make libheif decode further images for one of a HEIC or an AVIF: the tiles of a grid, the layers
/// of an overlay, an alpha channel.
///
/// libheif 1.15 follows references in a circle without end, and starts a thread for each.
///
/// Source: ISO/IEC 14496-12, 8.11.12 "Item Reference Box"; 23008-12, 6.4 "Image references and types".
enum HEIFReferences {
    /// The maximum number of nested images: an overlay of grids with alpha channels has four.
    private static let deepest = 8
    /// The maximum number of references: a grid has up to 256 x 256 tiles.
    private static let mostReferences = 4 * 65_536

    /// Returns the reason why the images of a file must not be decoded; `nil` if they may.
    static func fault(of bytes: UnsafeRawBufferPointer) -> String? {
        // By the image that needs them, the images that are decoded for it.
        var needs: [Int: [Int]] = [:]
        var count = 0
        for meta in MediaBoxes(bytes) where meta.name == "meta" {
            for box in MediaBoxes(meta.payload.afterVersion) where box.name == "iref" {
                var place = 4
                while place < box.payload.count {
                    guard let reference = Reference(box.payload, at: place) else { return "its references are damaged" }
                    count += 1 + reference.to.count
                    guard count <= mostReferences else { return "it has more than \(mostReferences) references" }
                    switch reference.kind {
                    case "dimg": needs[reference.from, default: []] += reference.to
                    case "auxl": for image in reference.to { needs[image, default: []].append(reference.from) }
                    default: break
                    }
                    place += reference.size
                }
            }
        }
        // Each round removes the images that need none of those that are left.
        for _ in 0..<deepest where !needs.isEmpty {
            needs = needs.filter { $0.value.contains { needs[$0] != nil } }
        }
        return needs.isEmpty ? nil : "its images consist of each other, or are nested more than \(deepest) times"
    }

    /// The references of one kind from one image to others.
    private struct Reference {
        let kind: ChunkName
        let from: Int
        let to: [Int]
        /// The number of bytes that it takes.
        let size: Int

        /// Reads references inside an `iref` box; `nil` if their number and size contradict each other, since libraries
        /// differ in which one they follow.
        init?(_ box: UnsafeRawBufferPointer, at place: Int) {
            let length = box.first == 0 ? 2 : 4
            func number(at place: Int) -> Int? {
                length == 2 ? box.bigEndian16(at: place) : box.bigEndian32(at: place)
            }
            guard let size = box.bigEndian32(at: place), let kind = box.chunkName(at: place + 4),
                let from = number(at: place + 8), let count = box.bigEndian16(at: place + 8 + length),
                size == 10 + length * (1 + count), box.count - place >= size
            else { return nil }
            (self.kind, self.from, self.size) = (kind, from, size)
            to = (0..<count).compactMap { number(at: place + 10 + length * (1 + $0)) }
        }
    }
}
