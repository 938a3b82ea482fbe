/// A ring buffer of the latest latencies, for percentiles over hours of running.
public struct LatencyRecord: Sendable {
    private let capacity: Int
    private var values: [Duration] = []
    private var next = 0

    /// Creates a record of the last `capacity` values.
    public init(capacity: Int = 4096) {
        self.capacity = max(1, capacity)
    }

    /// Adds a value, which replaces the oldest one if the record is full.
    public mutating func add(_ value: Duration) {
        if values.count < capacity {
            values.append(value)
        } else {
            values[next] = value
        }
        next = (next + 1) % capacity
    }

    /// Returns a percentile by the nearest-rank method; `nil` if there are no values.
    ///
    /// - Parameter part: from 0 to 1, such as 0.99.
    public func percentile(_ part: Double) -> Duration? {
        guard !values.isEmpty else { return nil }
        let rank = Int((part * Double(values.count)).rounded(.up)) - 1
        return values.sorted()[min(max(rank, 0), values.count - 1)]
    }
}
