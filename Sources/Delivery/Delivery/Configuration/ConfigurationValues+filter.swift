internal import BarcodeCore
public import ScanEvents

extension ConfigurationValues {
    /// What a code has to be: `formats`, `textMatches` and `contentMatches` of a section.
    ///
    /// - Parameter section: the path of the section, with its last dot.
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
                filter.content.append(try ContentCondition(text))
            } catch {
                report(section + "contentMatches", error.description)
            }
        }
        return filter
    }

    /// The regular expression of a key; nil where it has none, or one that is wrong, which is reported.
    public mutating func pattern(_ key: String) -> TextPattern? {
        parsed(key) { text throws(SyntaxError) in try TextPattern(text) }
    }

    /// What a closure makes of a text; a problem with its own words, and nil, where it throws.
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
