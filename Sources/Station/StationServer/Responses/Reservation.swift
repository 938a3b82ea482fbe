/// A reserved resource that is released at the latest when the reservation is deallocated.
///
/// The body of a response is not always written: not for HEAD, and not if the connection has closed. Code in the body
/// could therefore not release the resource reliably.
final class Reservation: Sendable {
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: releases the resource. It may be called twice; the second call must have no effect.
    init(_ giveBack: @escaping @Sendable () -> Void) {
        self.giveBack = giveBack
    }

    deinit { giveBack() }

    /// Releases the resource.
    func end() { giveBack() }
}
