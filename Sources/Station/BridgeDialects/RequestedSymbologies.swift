public import BarcodeCore

/// The symbologies that a page requests.
public struct RequestedSymbologies: Sendable, Hashable {
    /// The requested symbologies that can be decoded; empty for all.
    public private(set) var readable: Set<Symbology> = []
    /// The other requested formats, by the page's names.
    public private(set) var ignored: [String] = []

    /// Creates the symbologies of the page's names.
    ///
    /// - Parameters:
    ///   - names: the page's names; `nil` if it gives none, which requests all symbologies.
    ///   - meaning: maps a name to symbologies; empty if none of them can be decoded.
    /// - Throws: ``BridgeError`` with the code `unsupported_formats` if there are names and none can be decoded.
    public init(_ names: [String]?, meaning: (String) -> Set<Symbology>) throws(BridgeError) {
        for name in names ?? [] {
            let found = meaning(name)
            if found.isEmpty { ignored.append(String(name.prefix(64))) }
            readable.formUnion(found)
        }
        guard !readable.isEmpty || ignored.isEmpty else {
            let known = Symbology.all.map(\.rawValue).joined(separator: ", ")
            throw BridgeError(
                .unsupportedFormats,
                "None of the requested formats is supported (\(ignored.prefix(8).joined(separator: ", "))); supported formats: \(known)."
            )
        }
    }

    /// Creates the symbologies of our own names, which are the W3C's if it has one.
    ///
    /// - Throws: the same error as ``init(_:meaning:)``.
    public init(_ names: [String]?) throws(BridgeError) {
        try self.init(names) { name in
            let name = name.lowercased()
            return Set(Symbology.all.filter { $0.rawValue == name })
        }
    }
}
