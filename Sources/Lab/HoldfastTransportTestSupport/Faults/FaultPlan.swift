/// The faults of one proxied connection. Each direction's faults come in the order of their offsets.
public struct FaultPlan: Sendable {
    /// Faults on the way from the server to the client.
    public var toClient: [Fault]
    /// Faults on the way from the client to the server.
    public var toServer: [Fault]

    /// Plans faults.
    public init(toClient: [Fault] = [], toServer: [Fault] = []) {
        self.toClient = toClient
        self.toServer = toServer
    }

    /// No faults.
    public static let none = FaultPlan()
}
