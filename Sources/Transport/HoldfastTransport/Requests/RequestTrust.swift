public import HoldfastTrust

/// The trust of single requests, in place of the client's ``TransportConfiguration/trust``.
///
/// Set it in ``RequestOptions/trust``. Create one object and use it for all requests that may share connections: the
/// object's identity selects the connections, and two objects never share one, even with the same context. A request
/// therefore never uses a connection that another trust has accepted. Verdicts are cached per `TrustContext`, so
/// another context never affects this one.
///
/// If the policy of the context can change, a change is applied to the open connections of this trust. Changes of the
/// client's policy do not affect them. Verdicts are reported to the sink of this context, and not to that of the
/// client's trust.
public final class RequestTrust: Hashable, Sendable {
    /// The context that verifies the server.
    public let context: TrustContext

    /// Creates an object with its own connections.
    public init(_ context: TrustContext) {
        self.context = context
    }

    /// Returns whether both are the same object.
    public static func == (lhs: RequestTrust, rhs: RequestTrust) -> Bool { lhs === rhs }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
