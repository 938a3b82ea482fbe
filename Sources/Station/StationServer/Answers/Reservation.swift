/// A place that somebody has taken, and that is given back at the latest when nothing holds the reservation any more.
///
/// The body of an answer is not always written: not to HEAD, and not to a connection that is gone by then. What was
/// taken for it would never be given back by the code that writes it.
final class Reservation: Sendable {
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: gives the place back; called twice, it changes nothing the second time.
    init(_ giveBack: @escaping @Sendable () -> Void) {
        self.giveBack = giveBack
    }

    deinit { giveBack() }

    /// Gives the place back.
    func end() { giveBack() }
}
