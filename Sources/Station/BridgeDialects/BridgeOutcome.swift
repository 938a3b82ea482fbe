/// What became of a request.
public enum BridgeOutcome: Sendable, Hashable {
    /// These symbols were read; the first of them is the answer where a dialect has room for one.
    case symbols([BridgeSymbol])
    /// It failed.
    ///
    /// - `code`: for programs, such as `timed_out`, `no_camera`, `not_saved`.
    /// - `sentence`: for people.
    case failed(code: String, sentence: String)
    /// Somebody gave it up, the person or the page.
    case cancelled

    /// What a page hears of a picture without a code.
    static let nothingFound = "No code was found."
}
