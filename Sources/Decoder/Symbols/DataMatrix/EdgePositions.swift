/// The places across of an edge that is being followed, from its middle both ways, in memory that is used again.
struct EdgePositions: ~Copyable {
    /// Those before the middle from the back of the first half, those after it from the middle on.
    private let places: UnsafeMutableBufferPointer<Int32>
    private let middle: Int
    private var before = 0
    private var after = 0

    /// - Parameter longest: places along the longer axis of the picture: no edge has more.
    init(longest: Int) {
        middle = longest
        places = .allocate(capacity: 2 * longest + 1)
        places.initialize(repeating: 0)
    }

    deinit { places.deallocate() }

    /// Places on both sides of the middle.
    var count: Int { before + after }

    mutating func begin() { (before, after) = (0, 0) }

    @inline(__always)
    mutating func addBefore(_ place: Int) {
        guard before < middle else { return }
        before += 1
        places[middle - before] = Int32(truncatingIfNeeded: place)
    }

    @inline(__always)
    mutating func addAfter(_ place: Int) {
        guard after < middle else { return }
        after += 1
        places[middle + after] = Int32(truncatingIfNeeded: place)
    }

    /// Hands out all places in their order, that of the middle among them, and how many are before it.
    func joined<Result>(
        middle place: Int, _ body: (UnsafeBufferPointer<Int32>, _ before: Int) -> Result
    ) -> Result {
        places[middle] = Int32(truncatingIfNeeded: place)
        return body(UnsafeBufferPointer(rebasing: places[(middle - before)...(middle + after)]), before)
    }
}
