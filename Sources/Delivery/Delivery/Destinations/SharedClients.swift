public import ScanDevices

/// The clients shared by all sinks of a program.
public final class SharedClients: Sendable {
    /// Connections to HTTP receivers.
    public let http = HTTPConnections()
    /// Controls whether keyboard destinations may type.
    public let typingControl = TypingControl()

    /// The commands received by destinations; `nil` if the program accepts none.
    public let commands: StationCommands?

    /// Creates clients without connections.
    ///
    /// - Parameter commands: receives the commands that destinations get; `nil` if the program accepts none.
    public init(commands: StationCommands? = nil) { self.commands = commands }

    /// Closes all connections.
    ///
    /// Call it once, after the last delivery.
    public func close() async { await http.close() }
}
