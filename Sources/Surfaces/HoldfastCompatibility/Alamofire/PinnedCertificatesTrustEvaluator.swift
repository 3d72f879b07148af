public import Foundation
public import HoldfastTrust
import Logging

/// The system verification, then a pinned certificate: one certificate of the verified path must be among them, byte for
/// byte.
public struct PinnedCertificatesTrustEvaluator: FullyVerifying {
    private let certificates: [CertificateView]
    private let verification: DocumentedVerification
    private let hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Pins certificates.
    ///
    /// - Parameters:
    ///   - certificates: The certificates; by default those in the app's bundle. None at all refuses every server.
    ///   - acceptSelfSignedCertificates: Whether paths end in the pinned certificates and in nothing else.
    ///   - performDefaultValidation: Whether a valid path is needed.
    ///   - validateHost: Whether it has to be for the host.
    ///   - hostnameVerification: Whether the host counts where both of these are off. By default it does for a match on an
    ///     authority, as otherwise every customer of it could stand in for the server; `.never` is what Alamofire does.
    ///   - anchors: Where paths end unless self-signed certificates are accepted; the machine's roots by default.
    ///   - clock: Where the time comes from.
    public init(
        certificates: [CertificateView] = Bundle.main.af.certificates, acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true, validateHost: Bool = true,
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic, anchors: TrustAnchors? = nil,
        clock: TrustClock = .system
    ) {
        self.certificates = certificates
        self.hostnameVerification = hostnameVerification
        verification = DocumentedVerification(
            checksPath: performDefaultValidation, checksHost: validateHost,
            anchors: acceptSelfSignedCertificates ? .only(certificates) : anchors, clock: clock)
    }

    /// Throws ``AFError`` with `noCertificatesFound`, `defaultEvaluationFailed`, `hostValidationFailed` or
    /// `certificatePinningFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        let canonical = try verification.host(host, trust)
        let path =
            try verification.path(of: trust, for: canonical)
            ?? verification.linkedPath(
                of: trust, for: canonical,
                to: PinnedKeysOnly(certificates: certificates, hostnameVerification: hostnameVerification))
        guard let path, !Set(path.certificates).isDisjoint(with: certificates) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(
                    host: canonical.text, trust: trust, pinnedCertificates: certificates,
                    serverCertificates: trust.presented.certificates))
        }
    }

    var verifiesFully: Bool { verification.isComplete }
}

/// The certificates that lie in a bundle as files `.cer`, `.crt` or `.der`, in lower or upper case.
public struct BundledCertificates: Sendable {
    /// The certificates that could be read, in the order of the files' names. DER alone, as in Alamofire.
    public let certificates: [CertificateView]
    /// What is wrong with the other files, PEM among them: Alamofire passes these over in silence, which leaves a pin out
    /// that somebody counts on. They are logged as errors, too.
    public let errors: [CertificateError]

    /// The keys of the certificates.
    public var publicKeys: [PublicKeyInfo] { certificates.map { PublicKeyInfo($0) } }

    private static let extensions = ["cer", "CER", "crt", "CRT", "der", "DER"]

    /// Reads the files of a bundle. Blocks the calling thread while it reads.
    init(_ bundle: Bundle, logger: Logger = Logger(label: "holdfast.certificates")) {
        let paths = Set(
            BundledCertificates.extensions.flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) })
        var certificates: [CertificateView] = []
        var errors: [CertificateError] = []
        for path in paths.sorted() {
            do throws(CertificateError) {
                certificates.append(try CertificateLoading.certificate(inDERFileAtPath: path))
            } catch {
                logger.error("A bundled certificate cannot be used: \(error.reason)")
                errors.append(error)
            }
        }
        self.certificates = certificates
        self.errors = errors
    }
}

extension Bundle {
    /// The bundle's certificates, under Alamofire's name. Read anew at each call.
    public var af: BundledCertificates { BundledCertificates(self) }
}
