/// Something that holds a public key, and that a pin can therefore be made from.
public enum PinSource: Hashable, Sendable {
    /// A certificate.
    case certificate(CertificateView)
    /// A certification request: the key of a certificate that is yet to come.
    case certificationRequest(PublicKeyInfo)
    /// A key by itself.
    case publicKey(PublicKeyInfo)

    /// The key.
    public var publicKey: PublicKeyInfo {
        switch self {
        case .certificate(let certificate): PublicKeyInfo(certificate)
        case .certificationRequest(let key), .publicKey(let key): key
        }
    }

    /// The certificates, requests and public keys in bytes, at least one, in order: any number from PEM, one from DER.
    /// Other PEM blocks are passed over.
    ///
    /// Throws ``CertificateError`` for damaged bytes, and if there is none of the three; a private key alone gets the
    /// command that prints its public half.
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
                "The PEM text holds a private key alone, and a pin is made from the public one: "
                    + "openssl pkey -in key.pem -pubout -out public.pem")
        }
        guard !sources.isEmpty else { throw CertificateError.noCertificate(among: blocks) }
        return sources
    }

    /// The same for a file. Reasons begin with the path. Blocks the calling thread while it reads.
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

    /// DER does not say what it is, and each form is refused by the readers of the others.
    private static func source(inDER bytes: [UInt8]) throws(CertificateError) -> PinSource {
        do throws(CertificateError) {
            return .certificate(try CertificateView(der: bytes))
        } catch {
            // Nothing can be read at all, or certainly as nothing else.
            guard error.code == .notACertificate || error.code == .malformedDER else { throw error }
            if let key = try? PublicKeyInfo(der: bytes) { return .publicKey(key) }
            if let key = try? PublicKeyInfo(certificationRequest: bytes) { return .certificationRequest(key) }
            if let key = try? PublicKeyInfo(rsaPublicKey: bytes) { return .publicKey(key) }
            throw CertificateError(
                error.code, "The bytes are neither a certificate nor a certification request nor a public key.",
                offset: error.offset)
        }
    }
}
