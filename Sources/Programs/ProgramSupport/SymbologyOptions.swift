public import ArgumentParser
public import BarcodeCore

/// The option `--formats`, which selects the symbologies to read.
public struct SymbologyOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The symbologies to read, separated by commas.",
            discussion: SymbologyOptions.known,
            valueName: "names"),
        transform: { try SymbologyOptions.parse($0) })
    private var formats: [Set<Symbology>] = []

    /// Creates options without a selection.
    public init() {}

    /// The selected symbologies, from ``BarcodeCore/Symbology/all``; `nil` without the option.
    public var symbologies: Set<Symbology>? {
        formats.isEmpty ? nil : formats.reduce(into: []) { $0.formUnion($1) }
    }

    // Made once: the argument parser creates these options several times, and in debug builds to validate them too.
    private static let known: String = {
        let byChoice = Symbology.all.filter { !Symbology.standard.contains($0) }
        return
            "The symbologies are \(names(Symbology.all)); all adds \(names(byChoice)) to those that are read without "
            + "this option."
    }()

    private static func names(_ symbologies: [Symbology]) -> String {
        symbologies.map(\.rawValue).joined(separator: ", ")
    }

    /// A name reduced to letters and digits, so that `QRCode`, `EAN-13` and `CODE_128` match.
    private static func plain(_ name: some StringProtocol) -> String {
        String(
            name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }

    /// The symbology with the name nearest to an unknown word; `nil` if none is similar.
    private static func nearest(to word: String) -> Symbology? {
        let wanted = plain(word)
        let nearest = Symbology.all.map { (symbology: $0, distance: Spelling.distance(wanted, plain($0.rawValue))) }
            .min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= max(1, wanted.count / 3) ? $0.symbology : nil }
    }

    /// Parses a list of symbologies, in any unambiguous spelling.
    private static func parse(_ list: String) throws -> Set<Symbology> {
        var chosen: Set<Symbology> = []
        for word in list.split(separator: ",") {
            // No name is longer, and comparing a long word is slow.
            let name = plain(word.prefix(64))
            if name == "all" {
                chosen.formUnion(Symbology.all)
            } else if let symbology = Symbology.all.first(where: { plain($0.rawValue) == name }) {
                chosen.insert(symbology)
            } else if let nearest = nearest(to: name) {
                throw ValidationError("there is no symbology '\(word)'; did you mean '\(nearest.rawValue)'?")
            } else {
                throw ValidationError(
                    "there is no symbology '\(word)'; the symbologies are \(names(Symbology.all)), all")
            }
        }
        guard !chosen.isEmpty else { throw ValidationError("it contains no symbology") }
        return chosen
    }
}
