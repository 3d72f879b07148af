package import ChatWire

/// The server as an operator sees it.
package struct ServerOverview: Hashable, Sendable {
    package var clients: Int
    package var connections: Int
    /// Planned faults that have not happened yet.
    package var faults: Int
    /// Steps of the script that can still happen.
    package var steps: Int
    package var network: NetworkConditions
    package var identities: [String]
    package var configuration: ConfigurationAnswer
}
