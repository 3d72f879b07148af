import NIOSSL
import ServerKit
import Synchronization

/// A server's TLS identity: the certificates that it sends, in this order, and the private key of the first.
///
/// The list is sent unchanged, because a server for testing clients must be able to send invalid chains.
public struct TLSIdentity: Hashable, Sendable {
    /// The DER certificates, the server's own first.
    public var chain: [[UInt8]]
    /// The private key of the first certificate, in PEM.
    public var privateKeyPEM: String

    /// Creates an identity. It is validated when a server uses it: see ``ChatDevServerError/Code/unusableIdentity``.
    public init(chain: [[UInt8]], privateKeyPEM: String) {
        self.chain = chain
        self.privateKeyPEM = privateKeyPEM
    }

    /// Reads a certificate chain in PEM or one certificate in DER, the server's own first, and its unencrypted key in
    /// PEM. Blocks the calling thread.
    ///
    /// Does not check names and validity, which clients must verify.
    ///
    /// - Throws: ``ChatDevServerError/Code/unusableIdentity`` with the path of the unusable file. The reason contains
    ///   nothing of the key.
    public init(certificateFile: String, privateKeyFile: String) throws(ChatDevServerError) {
        let identity = try ServerIdentity<ChatDevServerError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        guard let key = String(validating: identity.privateKey, as: UTF8.self) else {
            throw ChatDevServerError(
                .unusableIdentity, reason: "The key must be PEM, not encrypted.", path: privateKeyFile)
        }
        self.init(chain: identity.chain, privateKeyPEM: key)
    }

    /// Returns a server context that presents this identity over TLS 1.2 or later, for these protocols.
    func makeContext(for protocols: [String]) throws(ChatDevServerError) -> NIOSSLContext {
        try ServerIdentity<ChatDevServerError>(
            chain: chain, privateKey: Array(privateKeyPEM.utf8), protocols: protocols
        ).context
    }
}

/// Excludes the private key from all descriptions.
extension TLSIdentity: CustomStringConvertible, CustomReflectable {
    /// The number of certificates, without the private key.
    public var description: String { "TLSIdentity(\(chain.count) certificates)" }

    /// A mirror with the number of certificates, so that a dump does not contain the private key.
    public var customMirror: Mirror { Mirror(self, children: ["chain": chain.count]) }
}

/// The identity for new connections, which can use HTTP/2. Open connections keep theirs.
final class CurrentIdentity: Sendable {
    private static let protocols = ["h2", "http/1.1"]

    private let context: Mutex<NIOSSLContext?>

    /// Creates the current identity; without one, the server does not use TLS.
    init(_ identity: TLSIdentity?) throws(ChatDevServerError) {
        var context: NIOSSLContext?
        if let identity { context = try identity.makeContext(for: Self.protocols) }
        self.context = Mutex(context)
    }

    /// Replaces the identity. If the new one is unusable, the old one stays.
    func replace(with identity: TLSIdentity) throws(ChatDevServerError) {
        let context = try identity.makeContext(for: Self.protocols)
        self.context.withLock { $0 = context }
    }

    /// Returns a TLS handler for a new connection; `nil` if the server does not use TLS.
    func makeHandler() -> NIOSSLServerHandler? {
        context.withLock { $0 }.map { NIOSSLServerHandler(context: $0) }
    }
}
