/// The queue for the camera: one request at a time, in the order of arrival.
///
/// An origin does not get two turns in a row while another waits.
struct CameraQueue: Sendable {
    /// An entry of the queue.
    struct Place: Sendable {
        var id: String
        var owner: RequestRegistry.Owner
        /// Called when its turn comes; `nil` for a page's request, which is found by its identifier.
        var onTurn: (@Sendable () -> Void)?
    }

    private var places: [Place] = []

    /// The entry whose turn it is.
    var first: Place? { places.first }

    /// The entries that wait for their turn.
    var waiting: [Place] { Array(places.dropFirst()) }

    /// The entry that a request waits for; `nil` if it is its turn, or it is not in the queue.
    func blocker(of id: String) -> Place? {
        guard let first, first.id != id, places.contains(where: { $0.id == id }) else { return nil }
        return first
    }

    /// Appends an entry unless it is already in the queue.
    mutating func join(_ place: Place) {
        if !places.contains(where: { $0.id == place.id }) { places.append(place) }
    }

    /// Removes an entry.
    ///
    /// Returns true if it was in the queue.
    mutating func leave(_ id: String) -> Bool {
        guard let index = places.firstIndex(where: { $0.id == id }) else { return false }
        let left = places.remove(at: index)
        // An origin may have many open requests; others must not wait for all of them.
        if index == 0, let next = places.firstIndex(where: { $0.owner != left.owner }) {
            places.insert(places.remove(at: next), at: 0)
        }
        return true
    }
}
