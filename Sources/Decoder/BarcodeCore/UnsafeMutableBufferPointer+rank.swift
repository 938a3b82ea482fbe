extension UnsafeMutableBufferPointer where Element == Float {
    /// Returns the number with a given rank in sorted order, without a full sort; reorders the numbers.
    ///
    /// Source: Hoare, "Algorithm 65: Find" (Communications of the ACM, 1961).
    /// - Precondition: `rank` is a valid index.
    package func value(ofRank rank: Int) -> Float {
        precondition(indices.contains(rank), "the rank must be a valid index")
        var (first, last) = (0, count - 1)
        while first < last {
            let middle = self[rank]
            var (low, high) = (first, last)
            repeat {
                while self[low] < middle { low += 1 }
                while middle < self[high] { high -= 1 }
                if low <= high {
                    swapAt(low, high)
                    low += 1
                    high -= 1
                }
            } while low <= high
            if high < rank { first = low }
            if rank < low { last = high }
        }
        return self[rank]
    }
}
