/// The choices of a single request that differ from the client's configuration.
///
/// The value is part of the pool's key, so that requests with different choices never share a connection. It is a
/// class, so that requests without such choices only copy and compare one empty reference.
package final class DialVariation: Hashable, Sendable {
    /// The address to connect to, if not the URL's host.
    package let address: ConnectAddress?
    /// The trust that verifies the server, if not the client's.
    package let trust: RequestTrust?

    private init(_ address: ConnectAddress?, _ trust: RequestTrust?) {
        self.address = address
        self.trust = trust
    }

    /// Returns a variation, or `nil` if nothing differs. An initializer that fails would allocate the object first.
    static func of(address: ConnectAddress?, trust: RequestTrust?) -> DialVariation? {
        address == nil && trust == nil ? nil : DialVariation(address, trust)
    }

    /// The choices that also apply after a redirect to another origin.
    ///
    /// An address belongs to the origin of the request. The trust does not: the client's trust may be weaker, and the
    /// caller has not chosen it for this request.
    var forOtherOrigins: DialVariation? {
        address == nil ? self : .of(address: nil, trust: trust)
    }

    package static func == (lhs: DialVariation, rhs: DialVariation) -> Bool {
        lhs === rhs || (lhs.address == rhs.address && lhs.trust == rhs.trust)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(trust)
    }
}
