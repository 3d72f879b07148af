/// An object with a public key from which a pin can be created.
public enum PinSource: Hashable, Sendable {
    /// A certificate.
    case certificate(CertificateView)
    /// A certificate signing request, with the key of a future certificate.
    case certificationRequest(PublicKeyInfo)
    /// A bare public key.
    case publicKey(PublicKeyInfo)

    /// The public key.
    public var publicKey: PublicKeyInfo {
        switch self {
        case .certificate(let certificate): PublicKeyInfo(certificate)
        case .certificationRequest(let key), .publicKey(let key): key
        }
    }

    /// Returns the certificates, signing requests and public keys in the bytes, in order: at least one from PEM,
    /// exactly one from DER. Other PEM blocks are skipped.
    ///
    /// - Throws: ``CertificateError`` if the bytes are malformed or do not contain any of the three. For a file with
    ///   only a private key, the reason contains the command that extracts the public key.
    public static func sources(in bytes: [UInt8]) throws(CertificateError) -> [PinSource] {
        try CertificateLoading.checkText(bytes)
        guard PEMReader.isPEM(bytes) else { return [try source(inDER: bytes)] }
        let blocks = try PEMReader.blocks(in: bytes)
        var sources: [PinSource] = []
        for block in blocks {
            do throws(CertificateError) {
                if let source = try source(in: block) { sources.append(source) }
            } catch {
                throw error.inBlock(at: block.line)
            }
        }
        if sources.isEmpty, blocks.contains(where: \.isPrivateKey) {
            throw CertificateError(
                .noCertificateInPEM,
                "The PEM text contains only a private key, but a pin is made from a public key: "
                    + "openssl pkey -in key.pem -pubout -out public.pem")
        }
        guard !sources.isEmpty else { throw CertificateError.noCertificate(among: blocks) }
        return sources
    }

    /// Returns the pin sources in a file, as ``sources(in:)`` does. Reasons of errors begin with the path. Blocks the
    /// calling thread while it reads.
    public static func sources(atPath path: String) throws(CertificateError) -> [PinSource] {
        try CertificateLoading.naming(path) { bytes throws(CertificateError) in try sources(in: bytes) }
    }

    private static func source(in block: PEMBlock) throws(CertificateError) -> PinSource? {
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE":
            .certificate(try CertificateView(der: block.der))
        case "CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST":
            .certificationRequest(try PublicKeyInfo(certificationRequest: block.der))
        case "PUBLIC KEY":
            .publicKey(try PublicKeyInfo(der: block.der))
        case "RSA PUBLIC KEY":
            .publicKey(try PublicKeyInfo(rsaPublicKey: block.der))
        default:
            nil
        }
    }

    /// Parses DER by trying each form in turn, because DER does not identify its type.
    private static func source(inDER bytes: [UInt8]) throws(CertificateError) -> PinSource {
        do throws(CertificateError) {
            return .certificate(try CertificateView(der: bytes))
        } catch {
            // Continue only if the bytes may be one of the other forms.
            guard error.code == .notACertificate || error.code == .malformedDER else { throw error }
            if let key = try? PublicKeyInfo(der: bytes) { return .publicKey(key) }
            if let key = try? PublicKeyInfo(certificationRequest: bytes) { return .certificationRequest(key) }
            if let key = try? PublicKeyInfo(rsaPublicKey: bytes) { return .publicKey(key) }
            throw CertificateError(
                error.code, "The bytes are not a certificate, a certificate signing request or a public key.",
                offset: error.offset)
        }
    }
}
