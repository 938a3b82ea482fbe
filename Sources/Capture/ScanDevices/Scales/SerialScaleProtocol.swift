/// A protocol of scales at a serial port: the scale is asked, and answers with a line.
///
/// To add one, write its row in a file of its own and name it in ``all``: configuration, connection and fuzzing use the
/// list.
public struct SerialScaleProtocol: Sendable, Hashable {
    /// Its name in the configuration.
    public let name: String
    /// The bytes that ask for the weight.
    public let request: [UInt8]
    /// True if an answer begins with STX; digits without it can be the rest of a weight.
    let beginsWithSTX: Bool
    /// Reads an answer, without STX and line end, from a scale that is set to a unit; `nil` if it says nothing of a weight.
    public let decode: @Sendable (_ answer: [UInt8], _ unit: WeightReading.Unit) -> ScaleMessage?

    /// All protocols, in the order in which messages name them.
    public static let all: [SerialScaleProtocol] = [.sics, .toledo]

    /// Compares the names.
    public static func == (a: SerialScaleProtocol, b: SerialScaleProtocol) -> Bool { a.name == b.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
