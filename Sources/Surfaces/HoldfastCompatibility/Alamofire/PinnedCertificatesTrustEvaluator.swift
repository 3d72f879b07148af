public import Foundation
public import HoldfastTrust
import Logging

/// An evaluator that performs the system verification and then requires a pinned certificate, byte for byte, on the
/// verified path.
public struct PinnedCertificatesTrustEvaluator: FullyVerifying {
    private let certificates: [CertificateView]
    let verification: DocumentedVerification
    private let hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Pins certificates.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates; by default those in the app's bundle. An empty list refuses every
    ///     server.
    ///   - acceptSelfSignedCertificates: Whether paths must end in the pinned certificates and nowhere else.
    ///   - performDefaultValidation: Whether a valid path is required.
    ///   - validateHost: Whether the path must be valid for the host.
    ///   - hostnameVerification: Whether the host is checked if both of these are off. By default it is checked when an
    ///     authority's certificate matches, because otherwise every customer of that authority could impersonate the
    ///     server. `.never` corresponds to Alamofire.
    ///   - anchors: The anchors of paths unless self-signed certificates are accepted; the machine's roots by default.
    ///   - clock: The clock for validity checks.
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

    /// Evaluates a server. Throws ``AFError`` with `noCertificatesFound`, `defaultEvaluationFailed`,
    /// `hostValidationFailed` or `certificatePinningFailed`.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        let trust = ServerTrust(trust)
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        let canonical = try verification.host(host, trust)
        let path = try verification.path(
            of: trust, for: canonical,
            orLinkedTo: PinnedKeysOnly(certificates: certificates, hostnameVerification: hostnameVerification))
        guard let path, !Set(path.certificates).isDisjoint(with: certificates) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(
                    host: canonical.text, trust: trust, pinnedCertificates: certificates,
                    serverCertificates: trust.presented.certificates))
        }
    }
}

/// The certificates in a bundle's `.cer`, `.crt` or `.der` files, in lower or upper case.
public struct BundledCertificates: Sendable {
    /// The certificates that could be read, ordered by file name. Only DER is read, as in Alamofire.
    public let certificates: [CertificateView]
    /// The errors of all other files, including PEM files. Alamofire ignores these silently, which omits pins that the
    /// app relies on. They are also logged as errors.
    public let errors: [CertificateError]

    /// The keys of the certificates.
    public var publicKeys: [PublicKeyInfo] { certificates.map { PublicKeyInfo($0) } }

    private static let extensions = ["cer", "CER", "crt", "CRT", "der", "DER"]

    /// Reads the files of a bundle. Blocks the calling thread.
    init(_ bundle: Bundle, logger: Logger = Logger(label: "holdfast.certificates")) {
        let paths = Set(
            BundledCertificates.extensions.flatMap { bundle.paths(forResourcesOfType: $0, inDirectory: nil) })
        var certificates: [CertificateView] = []
        var errors: [CertificateError] = []
        for path in paths.sorted() {
            do throws(CertificateError) {
                certificates.append(try CertificateLoading.certificate(inDERFileAtPath: path))
            } catch {
                logger.error("Cannot use a bundled certificate: \(error.reason)")
                errors.append(error)
            }
        }
        self.certificates = certificates
        self.errors = errors
    }
}

extension Bundle {
    /// The bundle's certificates, under Alamofire's name. Reads the files again at each call.
    public var af: BundledCertificates { BundledCertificates(self) }
}
