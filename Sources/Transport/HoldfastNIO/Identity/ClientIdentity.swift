import HoldfastSystem
package import HoldfastTrust
import NIOSSL

/// A certificate chain and its private key, with which a client shows a server who it is (mTLS; RFC 8446, 4.4.2).
///
/// It is shown to servers that ask for one, after they were accepted (in TLS 1.3 the certificate travels encrypted; in
/// TLS 1.2 anyone on the way can read it); never to a proxy. Whether a server accepts it is the server's business: dates and purposes
/// are not checked here. No description shows the key.
public struct ClientIdentity: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The certificates, this client's own first.
    package let certificates: [CertificateView]
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Takes a chain in PEM, or one certificate in DER, and a key in PEM: PKCS #8, PKCS #1 or SEC 1, not encrypted. Both
    /// may come from one text.
    ///
    /// - Throws: ``ClientIdentityError``; a key that is not the first certificate's is found here, not in a handshake.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ClientIdentityError) {
        do throws(CertificateError) {
            self.certificates = try CertificateLoading.certificates(in: certificates)
        } catch {
            throw ClientIdentityError(.certificate, error.reason)
        }
        let pem = try Self.keyBlock(in: privateKey)
        do {
            chain = try self.certificates.map { try NIOSSLCertificate(bytes: $0.der, format: .der) }
        } catch {
            throw ClientIdentityError(.certificate, "The TLS library cannot use a certificate.")
        }
        do {
            key = try NIOSSLPrivateKey(bytes: pem, format: .pem)
        } catch {
            throw ClientIdentityError(.key, "The TLS library cannot read the private key.")
        }
        var configuration = TLSFloor.configuration(applicationProtocols: [])
        apply(to: &configuration)
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw ClientIdentityError(.keyMismatch, "The private key is not that of the first certificate.")
        }
    }

    /// Reads both from files, each of at most 8 MiB. Blocks the calling thread while it reads. Throws
    /// ``ClientIdentityError``; reasons begin with the path.
    public init(certificateFile: String, privateKeyFile: String) throws(ClientIdentityError) {
        try self.init(certificates: try Self.read(certificateFile), privateKey: try Self.read(privateKeyFile))
    }

    public var description: String { "<client identity of \(certificates.count) certificates>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    func apply(to configuration: inout TLSConfiguration) {
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
    }

    /// The PEM text of the one private key.
    private static func keyBlock(in text: [UInt8]) throws(ClientIdentityError) -> [UInt8] {
        let blocks: [PEMBlock]
        do throws(CertificateError) {
            blocks = try PEMReader.blocks(in: text).filter(\.isPrivateKey)
        } catch {
            // The older forms say it in a header inside the block (RFC 1421, 4.6.1.1), which the strict reader refuses.
            if text.firstRange(of: Array("Proc-Type: 4,ENCRYPTED".utf8)) != nil { throw Self.encrypted }
            throw ClientIdentityError(.key, "The PEM text of the key is damaged (\(error.code)).")
        }
        guard let block = blocks.first else {
            throw ClientIdentityError(.key, "The text holds no private key in PEM.")
        }
        guard blocks.count == 1 else {
            throw ClientIdentityError(.key, "The text holds \(blocks.count) private keys, and one is wanted.")
        }
        // PKCS #8 says it in the label.
        guard !block.label.hasPrefix("ENCRYPTED") else { throw Self.encrypted }
        // A text that begins with certificates is read by the library from its first key on.
        return Array(text[block.offset...])
    }

    private static let encrypted = ClientIdentityError(
        .encryptedKey, "The private key is encrypted. `openssl pkey -in FILE` writes it without encryption.")

    private static func read(_ path: String) throws(ClientIdentityError) -> [UInt8] {
        do throws(RegularFile.Failure) {
            return try RegularFile.read(path, limit: PEMReader.sizeLimit)
        } catch {
            throw ClientIdentityError(.unreadableFile, error.reason(at: path))
        }
    }
}
