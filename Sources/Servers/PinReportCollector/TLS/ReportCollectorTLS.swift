import NIOSSL
import ServerKit

/// What a collector shows of itself over TLS: a certificate chain and its key. No description shows the key.
public struct ReportCollectorTLS: Sendable, CustomStringConvertible, CustomReflectable {
    /// TLS 1.2 or later, HTTP/1.1.
    let context: NIOSSLContext

    /// Takes a chain in PEM, the server's own certificate first, and its key in PEM, not encrypted.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableIdentity``. Reasons hold nothing of the key.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(certificates: certificates, privateKey: privateKey)
        context = identity.context
    }

    /// Reads both from files. Blocks the calling thread.
    public init(certificateFile: String, privateKeyFile: String) throws(ReportCollectorError) {
        let identity = try ServerIdentity<ReportCollectorError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile)
        context = identity.context
    }

    public var description: String { "<TLS identity>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
