internal import BarcodeCore
internal import ScanEvents

/// A topic with placeholders for fields of the event.
struct MQTTTopic: Sendable {
    /// The maximum length of a topic name, in bytes.
    private static let maximumLength = 65_535

    private let template: TextTemplate
    private let text: String

    /// Parses a topic.
    ///
    /// - Throws: ``ConfigurationError`` with a clause.
    init(_ text: String) throws(ConfigurationError) {
        do throws(SyntaxError) { template = try TextTemplate(text) } catch {
            throw ConfigurationError(error.description)
        }
        self.text = text
        guard !text.isEmpty, template.literals.allSatisfy({ !$0.contains { "+#\0".contains($0) } }) else {
            throw ConfigurationError(
                "\"\(text)\" is not a topic to publish to: a topic is not empty and contains no +, # or NUL")
        }
        guard text.unicodeScalars.first != "$" else {
            throw ConfigurationError("\"\(text)\" begins with $, which is reserved for the broker's own topics")
        }
    }

    /// The topic for an event; `nil` if the event lacks one of its fields, or if the topic would be too long.
    func name(for event: ScanEvent) -> String? {
        guard var name = template.text(for: event, adapting: Self.level), name.utf8.count <= Self.maximumLength else {
            return nil
        }
        // A field may begin with the mark of the broker's own topics. By scalars, because it is one `Character` with a
        // combining mark behind it.
        if name.unicodeScalars.first == "$" { name = "_" + String(name.unicodeScalars.dropFirst()) }
        return name
    }

    /// The topic of a station; `nil` if it depends on the event.
    func name(forStation station: String) -> String? {
        guard template.paths.allSatisfy({ $0 == "station" }) else { return nil }
        return name(for: ScanEvent(station: station, source: ScanSource(kind: .device, name: ""), symbol: .nothing))
    }

    /// Turns a text into one level of a topic.
    ///
    /// Replaces level separators and wildcards, and what brokers refuse (MQTT 5, 1.5.4): control characters and
    /// noncharacters.
    static func level(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isRefused =
                        "/+#".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control
                        || scalar.properties.isNoncharacterCodePoint
                    return isRefused ? "_" : scalar
                }))
    }
}

extension ScannedSymbol {
    fileprivate static let nothing = ScannedSymbol(symbology: .qrCode, text: "", bytes: [])
}
