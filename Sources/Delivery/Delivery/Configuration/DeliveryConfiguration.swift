public import ScanOutbox
public import SymbolContent

/// The delivery settings of a station: the validated content of a configuration file.
public struct DeliveryConfiguration: Sendable {
    /// A destination and the way to reach it.
    public struct Route: Sendable {
        /// The destination.
        public var destination: Destination
        /// The kind of destination.
        public var kind: DestinationKind
        let makeSink: DestinationKind.SinkMaker

        /// A route that writes events to standard output, for a configuration without destinations.
        public static func standardOutput(_ destination: Destination) -> Route {
            Route(destination: destination, kind: .standardOutput) { _, timeout throws(ConfigurationError) in
                StandardOutputSink(timeout: timeout)
            }
        }
    }

    /// The path of the outbox.
    public var database: String
    /// Indicates whether the path is the default, so that its folder may have to be created.
    public var isStandardDatabase = false
    /// The station's name.
    public var station: String
    /// The retention of events that are done with.
    public var retention: Retention
    /// The rule for treating a scan as a duplicate.
    public var deduplication: DeduplicationPolicy
    /// The keys to check the signatures of messages with; `nil` to check none.
    public var signingKeys: SigningKeys?
    /// The destinations, by name.
    public var routes: [Route]

    /// The environment variables that hold the secrets of the destinations.
    public var secretVariables: Set<String> = []
    /// The paths of the files that hold secrets, of destinations and of the program's own keys.
    public var secretFiles: Set<String> = []

    var configuredPaths = ConfiguredPaths()

    /// The missing programs of its commands and folders of its files, one a line; `nil` if none is missing.
    ///
    /// Can take as long as a network share takes to answer.
    public func missingPaths() -> ConfigurationError? {
        let missing = configuredPaths.missing
        return missing.isEmpty ? nil : missing.error
    }

    /// The destinations without their sinks.
    public var destinations: [Destination] { routes.map(\.destination) }

    /// Indicates whether a destination is standard output.
    public var writesStandardOutput: Bool { routes.contains { $0.kind.writesStandardOutput } }

    /// Creates the sinks of the destinations.
    ///
    /// - Throws: ``ConfigurationError`` if a sink cannot be created, such as when a certificate file has become
    ///   unreadable.
    public func makeSinks(_ clients: SharedClients) throws(ConfigurationError) -> [(Destination, any Sink)] {
        var sinks: [(Destination, any Sink)] = []
        for route in routes {
            sinks.append((route.destination, try route.makeSink(clients, route.destination.timeout)))
        }
        return sinks
    }
}
