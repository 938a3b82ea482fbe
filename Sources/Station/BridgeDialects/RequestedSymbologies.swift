public import BarcodeCore

/// The symbologies that a page asked for.
public struct RequestedSymbologies: Sendable, Hashable {
    /// Those that can be read; empty for all.
    public private(set) var readable: Set<Symbology> = []
    /// The others, as the page named them.
    public private(set) var ignored: [String] = []

    /// The symbologies of these names.
    ///
    /// - Parameters:
    ///   - names: those of the page; nil where it names none, which is all.
    ///   - meaning: what a name stands for; empty where nothing of it can be read.
    /// - Throws: ``BridgeError`` with the code `unsupported_formats` where there are names, and none can be read.
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

    /// The symbologies of our own names, which are the W3C's where it has one.
    ///
    /// - Throws: as the other initializer.
    public init(_ names: [String]?) throws(BridgeError) {
        try self.init(names) { name in
            let name = name.lowercased()
            return Set(Symbology.all.filter { $0.rawValue == name })
        }
    }
}
