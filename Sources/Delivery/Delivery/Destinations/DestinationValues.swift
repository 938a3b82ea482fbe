internal import ScanEvents

/// The values of one destination, or of another section that has some of its keys, by the names of the keys.
public struct DestinationValues {
    private let prefix: String
    private(set) var values: ConfigurationValues

    /// - Parameter section: the path of the section, such as `destinations.orders`.
    init(section: String, of values: ConfigurationValues) {
        prefix = section + "."
        self.values = values
    }

    /// Indicates whether a key is set, even if its value is empty.
    public func isSet(_ key: String) -> Bool { values.isSet(prefix + key) }

    /// The text of a key; `nil` if it is missing or empty.
    public mutating func text(_ key: String) -> String? { values.text(prefix + key) }

    /// A path; `nil` if there is none.
    ///
    /// Reports a problem if the path relies on expansion by a shell.
    public mutating func path(_ key: String) -> String? { values.path(prefix + key) }

    /// Records a folder that a value names and that must exist by the time it is needed.
    public mutating func expectFolder(_ folder: String, of key: String) { values.expect(.folder(folder), prefix + key) }

    /// Records a file that a value names and that must be writable by the time it is needed.
    mutating func expectFile(_ path: String, of key: String) { values.expect(.file(path), prefix + key) }

    /// A list, or a single value.
    public mutating func list(_ key: String) -> [String] { values.list(prefix + key) }

    /// A command: the program and its arguments; empty if there is none.
    public mutating func command(_ key: String) -> [String] { values.command(prefix + key) }

    /// The text of a key, converted by a closure; `nil` if there is no text, or if the closure returns `nil`, which
    /// is reported.
    public mutating func value<Value>(_ key: String, _ what: String, _ make: (String) -> Value?) -> Value? {
        values.value(prefix + key, what, make)
    }

    /// Indicates whether a value is `true`; `false` if it is missing.
    public mutating func flag(_ key: String) -> Bool { values.flag(prefix + key) }

    /// A number within limits; `nil` if it is missing or invalid.
    ///
    /// An invalid one is reported.
    public mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        values.number(prefix + key, range)
    }

    /// An integer within limits; `nil` if it is missing or invalid.
    ///
    /// An invalid one is reported.
    public mutating func whole(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        values.whole(prefix + key, range)
    }

    /// The bytes of the file that a value names; `nil` if there is no value, or if the file cannot be read, which
    /// is reported.
    public mutating func file(_ key: String) -> [UInt8]? { values.file(prefix + key) }

    /// The bytes of the file that a value names, which holds a secret; `nil` if there is no value, or if the file
    /// cannot be read, which is reported.
    mutating func secretFile(_ key: String) -> [UInt8]? {
        let bytes = file(key)
        if bytes != nil, let path = text(key) { recordSecret(inFile: path) }
        return bytes
    }

    /// Records the path of a file that holds a secret.
    mutating func recordSecret(inFile path: String) { values.recordSecret(inFile: path) }

    /// The station's name.
    public mutating func station() -> String { values.station() }

    /// The event filter: the keys `formats`, `textMatches`, `contentMatches` and `parts`.
    mutating func filter() -> EventFilter {
        var filter = values.filter(prefix)
        filter.acceptsParts = values.isSet(prefix + "parts") ? values.flag(prefix + "parts") : true
        return filter
    }

    /// The value of an environment variable that holds a secret; `nil` if it is not set.
    ///
    /// The variable is not passed on to programs that this one starts.
    public mutating func secret(inVariable name: String) -> String? { values.secret(inVariable: name) }

    /// Reports a problem with a value, with the origin of the value.
    public mutating func report(_ key: String, _ problem: String) { values.report(prefix + key, problem) }
}
