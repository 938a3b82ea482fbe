/// The across coordinates of a followed edge, from its middle in both directions, in reused memory.
struct EdgePositions: ~Copyable {
    /// Positions before the middle end just before index `middle`; positions after it start just after.
    private let places: UnsafeMutableBufferPointer<Int32>
    private let middle: Int
    private var before = 0
    private var after = 0

    /// - Parameter longest: the length of the picture's longer axis, the maximum number of positions.
    init(longest: Int) {
        middle = longest
        places = .allocate(capacity: 2 * longest + 1)
        places.initialize(repeating: 0)
    }

    deinit { places.deallocate() }

    /// The number of positions on both sides of the middle.
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

    /// Calls `body` with all positions in order, including the middle, and the number before it.
    func joined<Result>(
        middle place: Int, _ body: (UnsafeBufferPointer<Int32>, _ before: Int) -> Result
    ) -> Result {
        places[middle] = Int32(truncatingIfNeeded: place)
        return body(UnsafeBufferPointer(rebasing: places[(middle - before)...(middle + after)]), before)
    }
}
