import HoldfastSystem

/// Loads certificates from bytes and files, PEM and DER alike.
///
/// PEM is recognised by its contents, whatever the file is called. Other PEM blocks than certificates, such as a private
/// key beside its chain, are passed over. All errors are ``CertificateError``. The functions that take a path block
/// the calling thread while they read.
public enum CertificateLoading {
    /// Bytes of a file of certificates.
    public static let sizeLimit = PEMReader.sizeLimit

    /// The certificates in bytes, at least one, in order: any number from PEM, one from DER.
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

    /// The one certificate in bytes. Several are an error: whoever wants one must know which.
    public static func certificate(in bytes: [UInt8]) throws(CertificateError) -> CertificateView {
        let certificates = try certificates(in: bytes)
        guard let certificate = certificates.first, certificates.count == 1 else {
            throw CertificateError(
                .severalCertificates, "There are \(certificates.count) certificates, and one is wanted.")
        }
        return certificate
    }

    /// The one certificate in DER bytes. PEM is an error whose reason holds the command that converts it.
    public static func certificate(inDER bytes: [UInt8]) throws(CertificateError) -> CertificateView {
        guard !PEMReader.isPEM(bytes) else {
            throw CertificateError(.pemGiven, CertificateError.pemRemedy, offset: 0)
        }
        return try CertificateView(der: bytes)
    }

    /// The certificates in a file, as ``certificates(in:)`` reads them. Reasons begin with the path.
    public static func certificates(atPath path: String) throws(CertificateError) -> [CertificateView] {
        try naming(path) { bytes throws(CertificateError) in try certificates(in: bytes) }
    }

    /// The one certificate in a file, as ``certificate(in:)`` reads it.
    public static func certificate(atPath path: String) throws(CertificateError) -> CertificateView {
        try naming(path) { bytes throws(CertificateError) in try certificate(in: bytes) }
    }

    /// The one certificate in a DER file, as ``certificate(inDER:)`` reads it. The remedy for PEM names the file.
    public static func certificate(inDERFileAtPath path: String) throws(CertificateError) -> CertificateView {
        try naming(path) { bytes throws(CertificateError) in
            guard !PEMReader.isPEM(bytes) else { throw CertificateError.pemGiven(inFileAt: path) }
            return try CertificateView(der: bytes)
        }
    }

    /// The bytes of a file. Reasons begin with the path.
    package static func bytes(atPath path: String) throws(CertificateError) -> [UInt8] {
        do throws(RegularFile.Failure) {
            return try RegularFile.read(path, limit: sizeLimit)
        } catch {
            throw CertificateError(error, at: path)
        }
    }

    /// Refuses what an editor made unreadable, with a reason that says so.
    static func checkText(_ bytes: [UInt8]) throws(CertificateError) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw CertificateError(
                .malformedPEM, "The text is UTF-16. Save it as UTF-8 or ASCII, as openssl writes it.", offset: 0)
        }
    }

    /// Reads a file and has its bytes parsed, with the path in front of every reason.
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
