/// How the page of one request is answered: what a dialect has kept of the message.
public protocol BridgeReply: Sendable, Hashable {
    /// What the page is to hear: the calls that its runtime or its web view makes, in their order.
    ///
    /// Without one of its own a dialect settles a promise of the page's runtime: `quietzone._settle(id, object)`.
    func calls(for outcome: BridgeOutcome, id: String) -> [PageCall]
    /// The outcome as an object: `{"value": ...}`, or `{"error": {"code", "message"}}`.
    ///
    /// Without one of its own a dialect has ``BridgeSymbol/json`` of the first symbol as its value.
    func object(for outcome: BridgeOutcome) -> JSON
    /// What `prompt` is to return at once; nil, as it is without one of its own, where no prompt was called.
    var promptAnswer: JSON? { get }
}

extension BridgeReply {
    /// A call that settles the promise of the page's runtime.
    public func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
        [PageCall(function: ["quietzone", "_settle"], arguments: [.string(id), object(for: outcome)])]
    }

    /// The first symbol, or why there is none.
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
            return ["error": ["code": "cancelled", "message": "The scan was cancelled."]]
        }
    }

    /// Nil: no prompt was called.
    public var promptAnswer: JSON? { nil }

    func isEqual(to other: any BridgeReply) -> Bool { (other as? Self) == self }
}

/// The page's function is called with the text, and with the page's own identifier where it gave one.
///
/// Pages of this kind know no word for a request that came to nothing, and hear nothing then: an empty text would be
/// written into their form. A page that asks for it gets one.
public struct FunctionReply: BridgeReply {
    /// The names from `window` to the function.
    public var function: [String]
    /// What the page gave to recognize the answer by.
    public var eventID: JSON?
    /// Whether the page hears an empty text where nothing was read.
    public var answersCancel: Bool

    /// A call of `function`, with `eventID` as second argument where there is one.
    public init(function: [String], eventID: JSON? = nil, answersCancel: Bool = false) {
        self.function = function
        self.eventID = eventID
        self.answersCancel = answersCancel
    }

    /// One call with the text of the first symbol; nothing where there is none, or an empty text by choice.
    public func calls(for outcome: BridgeOutcome, id: String) -> [PageCall] {
        var text = answersCancel ? "" : nil
        if case .symbols(let symbols) = outcome, let symbol = symbols.first { text = symbol.text }
        guard let text else { return [] }
        return [PageCall(function: function, arguments: [.string(text)] + (eventID.map { [$0] } ?? []))]
    }
}
