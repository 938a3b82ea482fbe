public import KeyboardWedge

/// The clients that the sinks of a program share.
public final class SharedClients: Sendable {
    /// Connections to HTTP receivers.
    public let http = HTTPConnections()
    /// Whether keyboards may type.
    public let keyboardGate = KeyboardGate()

    /// What destinations hear that the program is to do; nil where it does nothing of the kind.
    public let commands: StationCommands?

    /// Clients without a connection yet.
    ///
    /// - Parameter commands: takes what destinations hear that the program is to do.
    public init(commands: StationCommands? = nil) { self.commands = commands }

    /// Closes every connection; called once, after the last delivery.
    public func close() async { await http.close() }
}
