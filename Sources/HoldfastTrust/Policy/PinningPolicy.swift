/// Which keys which hosts must show. STUB: completed with the engine.
public struct PinningPolicy: Hashable, Sendable {
    /// A name for logs and verdicts.
    public var name: String
    public init(name: String) { self.name = name }
}
