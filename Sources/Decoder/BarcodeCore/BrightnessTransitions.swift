extension Collection where Element == Float {
    /// Returns the number of brightness transitions along a line, counted with hysteresis: each is at least
    /// `swing`.
    package func transitionCount(swing: Float) -> Int {
        guard var (low, high) = first.map({ ($0, $0) }) else { return 0 }
        var count = 0
        var direction = 0
        for value in self {
            (low, high) = (Swift.min(low, value), Swift.max(high, value))
            if direction >= 0, value <= high - swing {
                (count, direction, low) = (count + 1, -1, value)
            } else if direction <= 0, value >= low + swing {
                (count, direction, high) = (count + 1, 1, value)
            }
        }
        return count
    }
}
