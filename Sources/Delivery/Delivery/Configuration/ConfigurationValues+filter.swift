internal import BarcodeCore
public import ScanEvents

extension ConfigurationValues {
    /// The event filter of a section: its keys `formats`, `textMatches` and `contentMatches`.
    ///
    /// - Parameter section: the path of the section, with its final dot.
    public mutating func filter(_ section: String) -> EventFilter {
        var filter = EventFilter()
        for format in list(section + "formats") {
            if Symbology.all.contains(Symbology(rawValue: format)) {
                filter.symbologies.insert(Symbology(rawValue: format))
            } else {
                report(section + "formats", "\"\(format)\" is not a symbology that can be read")
            }
        }
        filter.pattern = pattern(section + "textMatches")
        for text in list(section + "contentMatches") {
            do throws(SyntaxError) {
                let condition = try ContentCondition(text)
                filter.content.append(condition)
                if condition.needsSigningKeys && !isSet("content.keys") {
                    report(section + "contentMatches", "\"\(text)\" needs the keys of the signers, see content.keys")
                }
            } catch {
                report(section + "contentMatches", error.description)
            }
        }
        return filter
    }

    /// The regular expression of a key; `nil` if it has none, or an invalid one, which is reported.
    public mutating func pattern(_ key: String) -> TextPattern? {
        parsed(key) { text throws(SyntaxError) in try TextPattern(text) }
    }

    /// The text of a key, parsed by a closure; `nil` if there is no text or the closure throws.
    ///
    /// Its error is reported.
    public mutating func parsed<Value>(
        _ key: String, _ parse: (String) throws(SyntaxError) -> Value
    ) -> Value? {
        guard let text = text(key) else { return nil }
        do throws(SyntaxError) {
            return try parse(text)
        } catch {
            report(key, error.description)
            return nil
        }
    }
}
