import NIOSSL
import ServerKit

/// The collector's TLS identity: a certificate chain and its key. No description contains the key.
public struct ReportCollectorTLS: Sendable, CustomStringConvertible, CustomReflectable {
    /// The context for TLS 1.2 or later and HTTP/1.1.
    let context: NIOSSLContext

    /// Creates an identity from a PEM chain, the server's own certificate first, and its unencrypted PEM key.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableIdentity``. The reason contains nothing of the key.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(certificates: certificates, privateKey: privateKey)
        context = identity.context
    }

    /// Reads the chain and the key from files. Blocks the calling thread.
    public init(certificateFile: String, privateKeyFile: String) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        context = identity.context
    }

    /// A fixed text without the key.
    public var description: String { "<TLS identity>" }
    /// A mirror without children, so that a dump does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
