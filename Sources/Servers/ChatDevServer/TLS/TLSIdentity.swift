/// What a server shows of itself: the certificates that it sends, in this order, and the private key of the first.
///
/// The list is sent as it stands, whatever is in it: a server that tests clients must be able to send chains that no
/// honest server sends.
public struct TLSIdentity: Hashable, Sendable {
    /// DER certificates, the server's own first.
    public var chain: [[UInt8]]
    /// The private key of the first certificate, in PEM.
    public var privateKeyPEM: String

    /// Makes an identity. Whether it can be used is seen when a server takes it: see ``ChatDevServerError/Code/unusableIdentity``.
    public init(chain: [[UInt8]], privateKeyPEM: String) {
        self.chain = chain
        self.privateKeyPEM = privateKeyPEM
    }
}

/// The private key is no part of any text.
extension TLSIdentity: CustomStringConvertible, CustomReflectable {
    public var description: String { "TLSIdentity(\(chain.count) certificates)" }

    public var customMirror: Mirror { Mirror(self, children: ["chain": chain.count]) }
}
