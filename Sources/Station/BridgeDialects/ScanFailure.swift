/// A reason for the rejection of the promise of `quietzone.scan`.
///
/// `bridge.js` uses no other codes; `docs/reference/bridge.md` has the table.
public struct ScanFailure: Sendable, Hashable {
    /// The error's `code`.
    public let code: String
    /// The cause and the remedy, in Markdown.
    public let meaning: String

    private init(_ code: String, _ meaning: String) {
        self.code = code
        self.meaning = meaning
    }

    /// No code was decoded in time.
    public static let timedOut = ScanFailure("timed_out", "no code was read before the request's time was up")
    /// The station has no camera, and the page accepts no other source.
    public static let noCamera = ScanFailure(
        "no_camera", "the station has no camera, and the request takes codes from the camera alone")
    /// The code could not be stored.
    public static let notSaved = ScanFailure(
        "not_saved", "a code was read and could not be stored, for example on a full disk; see the station's log")

    /// All reasons, in the order of the documentation.
    public static let all: [ScanFailure] = [
        ScanFailure("cancelled", "the person or the page (`signal`, `quietzone.cancel()`) canceled the request"),
        timedOut,
        ScanFailure("unreachable", "the station did not answer before the request's time was up"),
        noCamera,
        notSaved,
        ScanFailure(
            "invalid_request",
            "the argument is not an object with `source`, `formats`, `timeout` and `signal`, or cannot be written as JSON"
        ),
        ScanFailure(
            BridgeError.Code.badValue.rawValue,
            "an option has a value that it cannot have; the message names what it takes"),
        ScanFailure(
            BridgeError.Code.unsupportedFormats.rawValue,
            "none of the `formats` can be read; the message lists those that can"),
        ScanFailure(BridgeError.Code.messageTooLong.rawValue, "the options are longer than 64 KiB"),
        ScanFailure(BridgeError.Code.nestedTooDeeply.rawValue, "the options are nested deeper than 32 levels"),
        ScanFailure(BridgeError.Code.tooManyValues.rawValue, "the options hold more than 1,024 values"),
        ScanFailure(
            "unknown_origin", "the station does not know the page's origin: start it with `--allow-origin`"),
        ScanFailure("opaque_origin", "the page has no origin: it is in a sandboxed frame, or was opened as a file"),
        ScanFailure("not_local", "the page's browser is not on the station's machine"),
        ScanFailure(
            "too_many_requests_open", "other pages had so many requests open that this one never became one of them"),
        ScanFailure("failed", "anything else, such as an answer of a proxy; the message says what"),
    ]
}
