/// Who may use the camera: one request at a time, the others in the order in which they came, and no origin twice in a
/// row while another waits.
struct CameraQueue: Sendable {
    /// One that wants the camera.
    struct Place: Sendable {
        var id: String
        var owner: RequestRegistry.Owner
        /// Hears that it is its turn; nil for a request of a page, which is known by its identifier.
        var onTurn: (@Sendable () -> Void)?
    }

    private var places: [Place] = []

    /// Whose turn it is.
    var first: Place? { places.first }

    /// Those that wait for their turn.
    var waiting: [Place] { Array(places.dropFirst()) }

    /// Whom a request waits for; nil where it is its turn, or it does not want the camera.
    func blocker(of id: String) -> Place? {
        guard let first, first.id != id, places.contains(where: { $0.id == id }) else { return nil }
        return first
    }

    /// Joins the end, once.
    mutating func join(_ place: Place) {
        if !places.contains(where: { $0.id == place.id }) { places.append(place) }
    }

    /// Leaves; whether it was there.
    mutating func leave(_ id: String) -> Bool {
        guard let index = places.firstIndex(where: { $0.id == id }) else { return false }
        let left = places.remove(at: index)
        // One origin may have many requests open; the others would else wait for all of them.
        if index == 0, let next = places.firstIndex(where: { $0.owner != left.owner }) {
            places.insert(places.remove(at: next), at: 0)
        }
        return true
    }
}
