internal import ScanEvents

/// The values of one destination, by the names of its keys.
public struct DestinationValues {
    private let prefix: String
    private(set) var values: ConfigurationValues

    init(_ name: String, of values: ConfigurationValues) {
        prefix = "destinations.\(name)."
        self.values = values
    }

    /// Whether a key has a value, or was meant to have one.
    public func isSet(_ key: String) -> Bool { values.isSet(prefix + key) }

    /// A value as it stands; nil where there is none.
    public mutating func text(_ key: String) -> String? { values.text(prefix + key) }

    /// A path; `nil` for none, and a problem if a shell was expected to expand it.
    public mutating func path(_ key: String) -> String? { values.path(prefix + key) }

    /// Notes a folder that a value names and that is to be there by the time that it is needed.
    public mutating func expectFolder(_ folder: String, of key: String) { values.expect(.folder(folder), prefix + key) }

    /// A list, or one value alone.
    public mutating func list(_ key: String) -> [String] { values.list(prefix + key) }

    /// A command: the program and its arguments; empty where there is none.
    public mutating func command(_ key: String) -> [String] { values.command(prefix + key) }

    /// A value that a closure makes of a text; a problem, and nil, where it makes nothing.
    public mutating func value<Value>(_ key: String, _ what: String, _ make: (String) -> Value?) -> Value? {
        values.value(prefix + key, what, make)
    }

    /// Whether a value is `true`; false where there is none.
    public mutating func flag(_ key: String) -> Bool { values.flag(prefix + key) }

    /// A number within limits; nil where there is none, a problem where it is another.
    public mutating func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
        values.number(prefix + key, range)
    }

    /// A whole number within limits; nil where there is none, a problem where it is another.
    public mutating func whole(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        values.whole(prefix + key, range)
    }

    /// The bytes of the file that a value names; nil where there is no value, a problem where there is no such file.
    public mutating func file(_ key: String) -> [UInt8]? { values.file(prefix + key) }

    /// The station's name.
    public mutating func station() -> String { values.station() }

    /// What an event has to be: `formats`, `textMatches` and `contentMatches`.
    mutating func filter() -> EventFilter { values.filter(prefix) }

    /// The value of an environment variable that holds a secret; `nil` if it is not set.
    ///
    /// Programs that this one starts do not get the variable.
    public mutating func secret(inVariable name: String) -> String? { values.secret(inVariable: name) }

    /// Notes what is wrong with a value, with the place that it comes from.
    public mutating func report(_ key: String, _ problem: String) { values.report(prefix + key, problem) }
}
