/// The clients that the sinks of a program share.
public final class SharedClients: Sendable {
    /// Connections to HTTP receivers.
    public let http = HTTPConnections()

    /// Clients without a connection yet.
    public init() {}

    /// Closes every connection; called once, after the last delivery.
    public func close() async { await http.close() }
}
