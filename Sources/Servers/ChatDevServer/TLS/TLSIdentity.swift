import NIOSSL
import ServerKit

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

    /// Reads a certificate chain in PEM or one certificate in DER, the server's own first, and its key in PEM, not
    /// encrypted. Blocks the calling thread.
    ///
    /// - Throws: ``ChatDevServerError/Code/unusableIdentity`` with the path of the file that cannot be used. Reasons hold
    ///   nothing of the key. Names and validity are not looked at: that is the clients' business.
    public init(certificateFile: String, privateKeyFile: String) throws(ChatDevServerError) {
        let identity = try ServerIdentity<ChatDevServerError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        guard let key = String(validating: identity.privateKey, as: UTF8.self) else {
            throw ChatDevServerError(
                .unusableIdentity, reason: "The key must be PEM, not encrypted.", path: privateKeyFile)
        }
        self.init(chain: identity.chain, privateKeyPEM: key)
    }

    /// A server context that presents this identity over TLS 1.2 or later.
    func makeContext() throws(ChatDevServerError) -> NIOSSLContext {
        try ServerIdentity<ChatDevServerError>(chain: chain, privateKey: Array(privateKeyPEM.utf8)).context
    }
}

/// The private key is no part of any text.
extension TLSIdentity: CustomStringConvertible, CustomReflectable {
    public var description: String { "TLSIdentity(\(chain.count) certificates)" }

    public var customMirror: Mirror { Mirror(self, children: ["chain": chain.count]) }
}
