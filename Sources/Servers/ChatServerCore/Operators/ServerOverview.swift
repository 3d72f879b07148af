package import ChatWire

/// The server's state for operators.
package struct ServerOverview: Hashable, Sendable {
    package var clients: Int
    package var connections: Int
    /// The number of planned faults that have not happened yet.
    package var faults: Int
    /// The number of script steps that can still happen.
    package var steps: Int
    package var network: NetworkConditions
    package var identities: [String]
    package var configuration: ConfigurationAnswer
}
