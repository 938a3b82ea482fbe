/// The queue for the camera: one request at a time, in the order of arrival.
///
/// An origin does not get two turns in a row while another waits.
struct CameraQueue: Sendable {
    /// An entry of the queue.
    struct Entry: Sendable {
        var id: String
        var owner: RequestRegistry.Owner
        /// Called when its turn comes; `nil` for a page's request, which is found by its identifier.
        var onTurn: (@Sendable () -> Void)?
    }

    private var entries: [Entry] = []

    /// The entry whose turn it is.
    var first: Entry? { entries.first }

    /// The entries that wait for their turn.
    var waiting: [Entry] { Array(entries.dropFirst()) }

    /// The entry that a request waits for; `nil` if it is its turn, or it is not in the queue.
    func blocker(of id: String) -> Entry? {
        guard let first, first.id != id, entries.contains(where: { $0.id == id }) else { return nil }
        return first
    }

    /// Appends an entry unless it is already in the queue.
    mutating func join(_ entry: Entry) {
        if !entries.contains(where: { $0.id == entry.id }) { entries.append(entry) }
    }

    /// Removes an entry.
    ///
    /// Returns true if it was in the queue.
    mutating func leave(_ id: String) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        let left = entries.remove(at: index)
        // An origin may have many open requests; others must not wait for all of them.
        if index == 0, let next = entries.firstIndex(where: { $0.owner != left.owner }) {
            entries.insert(entries.remove(at: next), at: 0)
        }
        return true
    }
}
