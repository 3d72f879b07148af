import HoldfastSystem

/// Loads certificates from bytes and files, in PEM or DER.
///
/// PEM is detected from the contents, regardless of the file name. PEM blocks other than certificates, such as a
/// private key, are skipped. All errors are ``CertificateError``. Functions that take a path block the calling thread
/// while they read.
public enum CertificateLoading {
    /// The maximum size of a file of certificates in bytes.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    public static let sizeLimit = PEMReader.sizeLimit

    /// Returns the certificates in the bytes, in order: at least one from PEM, exactly one from DER.
    public static func certificates(in bytes: [UInt8]) throws(CertificateError) -> [CertificateView] {
        try checkText(bytes)
        guard PEMReader.isPEM(bytes) else { return [try CertificateView(der: bytes)] }
        let blocks = try PEMReader.blocks(in: bytes)
        var certificates: [CertificateView] = []
        for block in blocks where block.isCertificate {
            do throws(CertificateError) {
                certificates.append(try CertificateView(der: block.der))
            } catch {
                throw error.inBlock(at: block.line)
            }
        }
        guard !certificates.isEmpty else { throw CertificateError.noCertificate(among: blocks) }
        return certificates
    }

    /// Returns the only certificate in the bytes. Several certificates are an error, because it is not clear which is
    /// meant.
    public static func certificate(in bytes: [UInt8]) throws(CertificateError) -> CertificateView {
        let certificates = try certificates(in: bytes)
        guard let certificate = certificates.first, certificates.count == 1 else {
            throw CertificateError(
                .severalCertificates, "There are \(certificates.count) certificates, but one is expected.")
        }
        return certificate
    }

    /// Returns the certificate in DER bytes. PEM is an error; its reason contains the command that converts it.
    public static func certificate(inDER bytes: [UInt8]) throws(CertificateError) -> CertificateView {
        guard !PEMReader.isPEM(bytes) else {
            throw CertificateError(.pemGiven, CertificateError.pemRemedy, offset: 0)
        }
        return try CertificateView(der: bytes)
    }

    /// Returns the certificates in a file, as ``certificates(in:)`` does. Reasons of errors begin with the path.
    public static func certificates(atPath path: String) throws(CertificateError) -> [CertificateView] {
        try naming(path) { bytes throws(CertificateError) in try certificates(in: bytes) }
    }

    /// Returns the only certificate in a file, as ``certificate(in:)`` does.
    public static func certificate(atPath path: String) throws(CertificateError) -> CertificateView {
        try naming(path) { bytes throws(CertificateError) in try certificate(in: bytes) }
    }

    /// Returns the certificate in a DER file, as ``certificate(inDER:)`` does. The remedy for PEM names the file.
    public static func certificate(inDERFileAtPath path: String) throws(CertificateError) -> CertificateView {
        try naming(path) { bytes throws(CertificateError) in
            guard !PEMReader.isPEM(bytes) else { throw CertificateError.pemGiven(inFileAt: path) }
            return try CertificateView(der: bytes)
        }
    }

    /// Returns the bytes of a file. Reasons of errors begin with the path.
    package static func bytes(atPath path: String) throws(CertificateError) -> [UInt8] {
        do throws(RegularFile.Failure) {
            return try RegularFile.read(path, limit: sizeLimit)
        } catch {
            throw CertificateError(error, at: path)
        }
    }

    /// Refuses UTF-16 text, which some editors write, with a reason that says so.
    static func checkText(_ bytes: [UInt8]) throws(CertificateError) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw CertificateError(
                .malformedPEM, "The text is UTF-16. Save it as UTF-8 or ASCII, as openssl writes it.", offset: 0)
        }
    }

    /// Reads a file and parses its bytes. Reasons of errors begin with the path.
    static func naming<Parsed>(
        _ path: String, parse: ([UInt8]) throws(CertificateError) -> Parsed
    ) throws(CertificateError) -> Parsed {
        let bytes = try Self.bytes(atPath: path)
        do throws(CertificateError) {
            return try parse(bytes)
        } catch {
            throw error.inFile(path)
        }
    }
}
