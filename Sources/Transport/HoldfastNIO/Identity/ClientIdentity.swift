import HoldfastSystem
package import HoldfastTrust
import NIOSSL

/// A certificate chain and its private key for client authentication (mTLS; RFC 8446, 4.4.2).
///
/// The client presents the certificate to servers that request one, after it has accepted the server; it never presents
/// it to a proxy. TLS 1.3 encrypts the certificate; in TLS 1.2 it is visible on the network. Validity dates and key
/// usages are deliberately not checked here: the server decides. Descriptions never show the key.
public struct ClientIdentity: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The certificates, beginning with the client's own.
    package let certificates: [CertificateView]
    private let chain: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Makes an identity from certificates and a private key. Both may come from one PEM text.
    ///
    /// - Parameters:
    ///   - certificates: A chain in PEM, or one certificate in DER.
    ///   - privateKey: An unencrypted key in PEM: PKCS #8, PKCS #1 or SEC 1.
    /// - Throws: ``ClientIdentityError`` if either cannot be used, or if the key does not belong to the first
    ///   certificate.
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
            throw ClientIdentityError(.keyMismatch, "The private key does not belong to the first certificate.")
        }
    }

    /// Makes an identity from two files of at most 8 MiB each. Blocks the calling thread while it reads.
    ///
    /// - Throws: ``ClientIdentityError``. The reason for an unreadable file begins with its path.
    public init(certificateFile: String, privateKeyFile: String) throws(ClientIdentityError) {
        try self.init(certificates: try Self.read(certificateFile), privateKey: try Self.read(privateKeyFile))
    }

    /// The number of certificates, without the key.
    public var description: String { "<client identity of \(certificates.count) certificates>" }
    /// The number of certificates, without the key.
    public var debugDescription: String { description }
    /// A mirror without children, so that `dump` does not show the key.
    public var customMirror: Mirror { Mirror(self, children: []) }

    func apply(to configuration: inout TLSConfiguration) {
        configuration.certificateChain = chain.map { .certificate($0) }
        configuration.privateKey = .privateKey(key)
    }

    /// Returns the PEM text from the only private key on.
    private static func keyBlock(in text: [UInt8]) throws(ClientIdentityError) -> [UInt8] {
        let blocks: [PEMBlock]
        do throws(CertificateError) {
            blocks = try PEMReader.blocks(in: text).filter(\.isPrivateKey)
        } catch {
            // Older formats mark encryption in a header inside the block (RFC 1421, 4.6.1.1), which the strict reader
            // rejects.
            if text.firstRange(of: Array("Proc-Type: 4,ENCRYPTED".utf8)) != nil { throw Self.encrypted }
            throw ClientIdentityError(.key, "The PEM text of the private key is damaged (\(error.code)).")
        }
        guard let block = blocks.first else {
            throw ClientIdentityError(.key, "The text does not contain a private key in PEM.")
        }
        guard blocks.count == 1 else {
            throw ClientIdentityError(.key, "The text contains \(blocks.count) private keys; expected one.")
        }
        // PKCS #8 marks encryption in the label.
        guard !block.label.hasPrefix("ENCRYPTED") else { throw Self.encrypted }
        // The text may begin with certificates, which the library would not skip.
        return Array(text[block.offset...])
    }

    private static let encrypted = ClientIdentityError(
        .encryptedKey, "The private key is encrypted. Decrypt it with `openssl pkey -in FILE`.")

    private static func read(_ path: String) throws(ClientIdentityError) -> [UInt8] {
        do throws(RegularFile.Failure) {
            return try RegularFile.read(path, limit: PEMReader.sizeLimit)
        } catch {
            throw ClientIdentityError(.unreadableFile, error.reason(at: path))
        }
    }
}

/// The reason why a certificate and a key cannot be used for client authentication.
///
/// - Remedy: Correct the file that the reason names.
public struct ClientIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Raw values are stable and safe as metric labels. New codes may be added, so handle unknown
    /// ones.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// The certificates cannot be read, or there are none.
        public static let certificate = Code(rawValue: "certificate")
        /// The text of the key is damaged, or it contains no private key or several.
        public static let key = Code(rawValue: "key")
        /// The key is encrypted. Passwords are not supported: decrypt the key and store it safely.
        public static let encryptedKey = Code(rawValue: "encryptedKey")
        /// The key does not belong to the first certificate.
        public static let keyMismatch = Code(rawValue: "keyMismatch")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable description in one sentence. It contains no key material.
    public var reason: String

    /// Makes an error from its code and its description.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
