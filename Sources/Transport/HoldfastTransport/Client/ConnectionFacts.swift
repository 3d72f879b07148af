public import HoldfastTrust

/// The properties of an established connection.
///
/// Every response carries a value of this type. Copying it copies one reference.
public struct ConnectionFacts: Sendable {
    private struct Values: Sendable {
        var verdict: TrustVerdict?
        var tlsVersion: String?
        var cipherSuite: String?
        var applicationProtocol: String?
        var remoteAddress: String
        var presented: PresentedChain?
    }

    private final class Box: Sendable {
        let values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    private var box: Box

    package init(
        verdict: TrustVerdict? = nil, tlsVersion: String? = nil, cipherSuite: String? = nil,
        applicationProtocol: String? = nil, remoteAddress: String, presented: PresentedChain? = nil
    ) {
        box = Box(
            Values(
                verdict: verdict, tlsVersion: tlsVersion, cipherSuite: cipherSuite,
                applicationProtocol: applicationProtocol, remoteAddress: remoteAddress, presented: presented))
    }

    /// The verdict on the server; `nil` without TLS.
    public var verdict: TrustVerdict? {
        get { box.values.verdict }
        set { set(\.verdict, to: newValue) }
    }

    /// `TLSv1.2` or `TLSv1.3`; `nil` without TLS.
    public var tlsVersion: String? {
        get { box.values.tlsVersion }
        set { set(\.tlsVersion, to: newValue) }
    }

    /// The IANA name of the cipher suite; `nil` without TLS.
    public var cipherSuite: String? {
        get { box.values.cipherSuite }
        set { set(\.cipherSuite, to: newValue) }
    }

    /// The protocol that ALPN negotiated, if any.
    public var applicationProtocol: String? {
        get { box.values.applicationProtocol }
        set { set(\.applicationProtocol, to: newValue) }
    }

    /// The address and port of the remote end of the socket, as text.
    public var remoteAddress: String {
        get { box.values.remoteAddress }
        set { set(\.remoteAddress, to: newValue) }
    }

    /// The certificate chain that the server presented; `nil` without TLS.
    public var presented: PresentedChain? {
        get { box.values.presented }
        set { set(\.presented, to: newValue) }
    }

    private mutating func set<Value>(_ field: WritableKeyPath<Values, Value>, to value: Value) {
        var values = box.values
        values[keyPath: field] = value
        box = Box(values)
    }
}
