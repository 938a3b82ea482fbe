/// The outcome of a request.
public enum BridgeOutcome: Sendable, Hashable {
    /// The decoded symbols. A dialect that has room for only one takes the first.
    case symbols([BridgeSymbol])
    /// The request failed.
    ///
    /// - `code`: for programs, such as `timed_out`, `no_camera`, `not_saved`.
    /// - `sentence`: for people.
    case failed(code: String, sentence: String)
    /// The person or the page cancelled the request.
    case cancelled

    /// The message to the page if a picture has no code.
    static let nothingFound = "No code was found."
}
