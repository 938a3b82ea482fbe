public import ArgumentParser
public import BarcodeCore

/// The option `--formats`: which symbologies a program reads.
public struct SymbologyOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The symbologies to read, separated by commas.",
            discussion: SymbologyOptions.known,
            valueName: "names"),
        transform: { try SymbologyOptions.parse($0) })
    private var formats: Set<Symbology>?

    /// Nothing chosen.
    public init() {}

    /// What was chosen, of ``BarcodeCore/Symbology/all``; nil without the option.
    public var symbologies: Set<Symbology>? { formats }

    private static var known: String {
        let byChoice = Symbology.all.filter { !Symbology.standard.contains($0) }
        return
            "Known are: \(names(Symbology.all)); and all, which adds \(names(byChoice)) to what is read without this "
            + "option."
    }

    private static func names(_ symbologies: [Symbology]) -> String {
        symbologies.map(\.rawValue).joined(separator: ", ")
    }

    /// The symbologies of a list; letters may be capital, and spaces may stand before a name.
    private static func parse(_ list: String) throws -> Set<Symbology> {
        var chosen: Set<Symbology> = []
        for word in list.split(separator: ",") {
            let name = word.drop { $0 == " " }.lowercased()
            if name == "all" {
                chosen.formUnion(Symbology.all)
            } else if let symbology = Symbology.all.first(where: { $0.rawValue == name }) {
                chosen.insert(symbology)
            } else {
                throw ValidationError("there is no symbology '\(word)'; known are \(names(Symbology.all)), all")
            }
        }
        guard !chosen.isEmpty else { throw ValidationError("it names no symbology") }
        return chosen
    }
}
