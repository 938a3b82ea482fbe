/// The way in which one request is answered, with the data that the dialect kept from the message.
public protocol BridgeReply: Sendable, Hashable {
    /// The calls that the page's runtime or its web view makes, in order.
    ///
    /// The default implementation settles a promise of the page's runtime: `quietzone._settle(id, object)`.
    func calls(for outcome: BridgeOutcome, id: String) -> [PageCall]
    /// The outcome as an object: `{"value": ...}`, or `{"error": {"code", "message"}}`.
    ///
    /// In the default implementation, the value is ``BridgeSymbol/json`` of the first symbol.
    func object(for outcome: BridgeOutcome) -> JSON
    /// The immediate return value of `prompt`; `nil`, which is the default, if the page did not call `prompt`.
    var promptAnswer: JSON? { get }
}

extension BridgeReply {
    /// Returns a call that settles the promise of the page's runtime.
    public func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
        [PageCall(function: ["quietzone", "_settle"], arguments: [.string(id), object(for: outcome)])]
    }

    /// Returns the first symbol, or the error if there is none.
    public func object(for outcome: BridgeOutcome) -> JSON {
        switch outcome {
        case .symbols(let symbols):
            guard let symbol = symbols.first else {
                return ["error": ["code": "nothing_found", "message": .string(BridgeOutcome.nothingFound)]]
            }
            return ["value": symbol.json]
        case .failed(let code, let sentence):
            return ["error": ["code": .string(code), "message": .string(sentence)]]
        case .cancelled:
            return ["error": ["code": "cancelled", "message": "The scan was canceled."]]
        }
    }

    /// `nil`, because the page did not call `prompt`.
    public var promptAnswer: JSON? { nil }

    func isEqual(to other: any BridgeReply) -> Bool { (other as? Self) == self }
}

/// A call of the page's function with the text, and with the page's own identifier if it sent one.
///
/// Pages of this kind have no notion of a request without a result, and by default get no call then: they would write
/// an empty text into their form. A page can ask for a call with an empty text.
public struct FunctionReply: BridgeReply {
    /// The path of names from `window` to the function.
    public var function: [String]
    /// The page's own identifier of the request, to be handed back.
    public var eventID: JSON?
    /// Indicates whether the page gets an empty text if nothing was decoded.
    public var answersCancel: Bool

    /// Creates a call of `function`, with `eventID` as the second argument if there is one.
    public init(function: [String], eventID: JSON? = nil, answersCancel: Bool = false) {
        self.function = function
        self.eventID = eventID
        self.answersCancel = answersCancel
    }

    /// Returns one call with the text of the first symbol.
    ///
    /// Without a symbol there is no call, or one with an empty text.
    public func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
        var text = answersCancel ? "" : nil
        if case .symbols(let symbols) = outcome, let symbol = symbols.first { text = symbol.text }
        guard let text else { return [] }
        return [PageCall(function: function, arguments: [.string(text)] + (eventID.map { [$0] } ?? []))]
    }
}
