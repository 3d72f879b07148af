/// A report about a pin mismatch, created from a verdict.
public struct PinFailureReport: Hashable, Sendable {
    /// The verdict.
    public let verdict: TrustVerdict
    /// The result in TrustKit's terms.
    public let result: TrustKitResult
    /// The pinning facts for the host.
    public let pinning: PinningFacts

    /// Creates a report. Returns `nil` if there is nothing to report: pins did not apply, or TrustKit does not report
    /// the result.
    public init?(_ verdict: TrustVerdict) {
        guard let pinning = verdict.pinning, let result = TrustKitResult(verdict), result.isReported else { return nil }
        self.verdict = verdict
        self.result = result
        self.pinning = pinning
    }

    /// The evaluated chain: the verified path, or the presented chain if there is none.
    var validatedChain: [CertificateView] {
        verdict.path?.certificates ?? verdict.presented?.certificates ?? []
    }

    /// The destinations given by the policy. Reports are never sent anywhere else.
    public var destinations: [String] { pinning.reportURIs }

    func host(_ redaction: ReportRedaction) -> String {
        redaction.contains(.hostname) ? pinning.notedHost.text : verdict.subject?.host.text ?? ""
    }

    var knownPins: [String] {
        pinning.pins.listed.map { "pin-sha256=\"\($0.base64)\"" }
    }

    /// Returns a certificate as TrustKit writes it: lines of 64 columns that end in CR LF, with header and footer lines
    /// that end in LF.
    static func trustKitPEM(_ certificate: CertificateView) -> String {
        let lines = certificate.pem.split(separator: "\n")
        let body = lines.dropFirst().dropLast().joined(separator: "\r\n")
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    }

    /// The value of `trustkit-version`: TrustKit's own constant in versions 3.0.x, which collectors expect.
    static let trustKitVersion = "3.0.0"

    /// Returns the report with the same fields as TrustKit's: the body of a POST with `Content-Type: application/json`.
    ///
    /// - Parameters:
    ///   - identity: The app.
    ///   - redaction: What is left out.
    ///   - policyVersion: The version of the policy bundle in force. It adds the member `holdfast-policy-version`.
    public func trustKitJSON(
        from identity: ReportIdentity, redaction: ReportRedaction = [], policyVersion: Int64? = nil
    ) -> String {
        let chain = redaction.apply(to: validatedChain)
        return JSONWriter.text(
            .fields([
                ("app-bundle-id", .string(identity.bundleID)),
                ("app-version", .string(identity.version)),
                ("app-vendor-id", .string(redaction.contains(.installation) ? "" : identity.vendorID)),
                ("app-platform", .string(identity.platform)),
                ("app-platform-version", .string(identity.platformVersion)),
                ("trustkit-version", .string(PinFailureReport.trustKitVersion)),
                ("date-time", .text(verdict.time)),
                ("hostname", .string(host(redaction))),
                ("port", .number(String(verdict.subject?.port ?? 0))),
                ("noted-hostname", .text(pinning.notedHost)),
                ("include-subdomains", .bool(pinning.includesSubdomains)),
                ("enforce-pinning", .bool(pinning.enforcement == .enforce)),
                ("validated-certificate-chain", .list(chain.map { .string(PinFailureReport.trustKitPEM($0)) })),
                ("known-pins", .list(knownPins.map { .string($0) })),
                (
                    "known-pins-expiration-date",
                    pinning.expires.map { .string(String($0.description.prefix(10))) } ?? .null
                ),
                ("validation-result", .number(String(result.rawValue))),
                ("holdfast-policy-version", policyVersion.map { .number(String($0)) }),
            ]))
    }

    /// Returns the report of RFC 7469, 3. The served chain contains everything that was sent, including unreadable
    /// certificates. The validated chain is empty if no path was verified.
    public func hpkpJSON(redaction: ReportRedaction = []) -> String {
        let served = redaction.apply(to: verdict.presented?.served ?? [])
        let validated = redaction.apply(to: verdict.path?.certificates ?? [])
        return JSONWriter.text(
            .fields([
                ("date-time", .text(verdict.time)),
                ("hostname", .string(host(redaction))),
                ("port", .number(String(verdict.subject?.port ?? 0))),
                ("effective-expiration-date", pinning.expires.map { .text($0) } ?? .null),
                ("include-subdomains", .bool(pinning.includesSubdomains)),
                ("noted-hostname", .text(pinning.notedHost)),
                ("served-certificate-chain", .list(served.map { .string(PEMBlock.text("CERTIFICATE", $0)) })),
                ("validated-certificate-chain", .list(validated.map { .string($0.pem) })),
                ("known-pins", .list(knownPins.map { .string($0) })),
            ]))
    }
}

/// The fields of a TrustKit report that describe the app.
public struct ReportIdentity: Hashable, Sendable {
    /// The app's identifier.
    public var bundleID: String
    /// The app's version.
    public var version: String
    /// A random identifier of this installation.
    public var vendorID: String
    /// The platform, such as `IOS`, `MACOS` or `LINUX`.
    public var platform: String
    /// The version of the operating system, such as `18.1.0`.
    public var platformVersion: String

    /// Creates an identity.
    public init(bundleID: String, version: String, vendorID: String, platform: String, platformVersion: String) {
        self.bundleID = bundleID
        self.version = version
        self.vendorID = vendorID
        self.platform = platform
        self.platformVersion = platformVersion
    }
}

/// What is left out of reports.
public struct ReportRedaction: OptionSet, Hashable, Sendable {
    /// The raw value.
    public let rawValue: UInt8
    /// Creates an option set from its raw value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The identifier of the installation is left empty.
    public static let installation = ReportRedaction(rawValue: 1)
    /// The requested host is replaced by the host of the rule, because the name of a subdomain may identify a customer.
    public static let hostname = ReportRedaction(rawValue: 2)
    /// The certificates are left out. A certificate can name the operator of a proxy that inspects the traffic.
    public static let certificates = ReportRedaction(rawValue: 4)
    /// Only the server's own certificate is included, which makes a report small.
    public static let chain = ReportRedaction(rawValue: 8)

    /// Returns the certificates that remain of a chain.
    func apply<Certificate>(to chain: [Certificate]) -> [Certificate] {
        if contains(.certificates) { return [] }
        return contains(.chain) ? Array(chain.prefix(1)) : chain
    }
}

/// TrustKit's evaluation results with their numbers in reports.
public enum TrustKitResult: Int, Hashable, Sendable, CaseIterable {
    case success = 0
    case failedNoMatchingPin = 1
    case failedInvalidCertificateChain = 2
    case errorInvalidParameters = 3
    case failedUserDefinedTrustAnchor = 4
    case errorCouldNotGenerateSPKIHash = 5

    /// Returns the result for a verdict, or `nil` if pins did not apply, for which TrustKit does not have a result.
    public init?(_ verdict: TrustVerdict) {
        switch verdict.finding.code {
        case .invalidHost, .noCertificates, .invalidConfiguration, .notInitialized: self = .errorInvalidParameters
        case .unreadableLeaf: self = .errorCouldNotGenerateSPKIHash
        case .pinMatched: self = .success
        case .pinsBypassed: self = .failedUserDefinedTrustAnchor
        case .pinMismatch, .deniedKey, .noUsablePins: self = .failedNoMatchingPin
        default:
            guard verdict.decision == .block else { return nil }
            self = .failedInvalidCertificateChain
        }
    }

    /// Whether TrustKit reports the result.
    public var isReported: Bool { self != .success && self != .failedUserDefinedTrustAnchor }
}
