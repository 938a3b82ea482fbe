public import ScanOutbox

/// What a station forwards, and where to: the checked content of a configuration file.
public struct DispatchConfiguration: Sendable {
    /// A destination and how it is reached.
    public struct Route: Sendable {
        /// How a destination is reached.
        public enum Transport: Sendable {
            /// By HTTP.
            case http(HTTPReceiver)
            /// On standard output.
            case standardOutput
            /// By a command, the program first.
            case command([String])
        }

        /// The destination.
        public var destination: Destination
        /// How it is reached.
        public var transport: Transport

        /// A destination that is reached in a way.
        public init(destination: Destination, transport: Transport) {
            self.destination = destination
            self.transport = transport
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

    /// The destinations alone.
    public var destinations: [Destination] { routes.map(\.destination) }

    /// Whether a destination is standard output.
    public var writesStandardOutput: Bool {
        routes.contains { route in
            if case .standardOutput = route.transport { true } else { false }
        }
    }

    /// The sinks for the destinations; those by HTTP share their connections.
    ///
    /// - Throws: ``ConfigurationError``, when a file of certificates cannot be read.
    public func makeSinks(_ connections: HTTPConnections) throws(ConfigurationError) -> [(Destination, any Sink)] {
        var sinks: [(Destination, any Sink)] = []
        for route in routes {
            let timeout = route.destination.timeout
            let sink: any Sink =
                switch route.transport {
                case .http(let receiver): try HTTPCallbackSink(receiver, connections: connections, timeout: timeout)
                case .standardOutput: StandardOutputSink(timeout: timeout)
                case .command(let command): CommandSink(command: command, timeout: timeout)
                }
            sinks.append((route.destination, sink))
        }
        return sinks
    }
}
