public import ScanOutbox

/// What a station forwards, and where to: the checked content of a configuration file.
public struct DeliveryConfiguration: Sendable {
    /// A destination and how it is reached.
    public struct Route: Sendable {
        /// The destination.
        public var destination: Destination
        /// The kind of destination.
        public var kind: DestinationKind
        let makeSink: DestinationKind.SinkMaker

        /// Events on standard output, where the configuration names no destination.
        public static func standardOutput(_ destination: Destination) -> Route {
            Route(destination: destination, kind: .standardOutput) { _, timeout throws(ConfigurationError) in
                StandardOutputSink(timeout: timeout)
            }
        }
    }

    /// The path of the outbox.
    public var database: String
    /// Whether nobody named that path, so that its folder may have to be made.
    public var isStandardDatabase = false
    /// The station's name.
    public var station: String
    /// What is kept of events that are done with.
    public var retention: Retention
    /// What counts as a repetition.
    public var deduplication: DeduplicationPolicy
    /// The destinations, by name.
    public var routes: [Route]

    /// The environment variables that hold secrets of its destinations.
    public var secretVariables: Set<String> = []

    var namedPlaces = NamedPlaces()

    /// The programs of its commands and the folders of its files that are missing, a line each; `nil` if none is.
    ///
    /// Looking for them may take as long as a share takes to answer.
    public func missingPlaces() -> ConfigurationError? {
        let missing = namedPlaces.missing
        return missing.isEmpty ? nil : missing.error
    }

    /// The destinations alone.
    public var destinations: [Destination] { routes.map(\.destination) }

    /// Whether a destination is standard output.
    public var writesStandardOutput: Bool { routes.contains { $0.kind.writesStandardOutput } }

    /// The sinks for the destinations.
    ///
    /// - Throws: ``ConfigurationError``, when one cannot be made: a file of certificates cannot be read any more.
    public func makeSinks(_ clients: SharedClients) throws(ConfigurationError) -> [(Destination, any Sink)] {
        var sinks: [(Destination, any Sink)] = []
        for route in routes {
            sinks.append((route.destination, try route.makeSink(clients, route.destination.timeout)))
        }
        return sinks
    }
}
