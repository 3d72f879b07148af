/// A report on a failed pin, made from a verdict.
public struct PinFailureReport: Hashable, Sendable {
    /// The verdict.
    public let verdict: TrustVerdict
    /// What it comes to in TrustKit's terms.
    public let result: TrustKitResult
    /// What the policy said about the host.
    public let pinning: PinningFacts

    /// Makes a report; `nil` where there is nothing to report: no pin applied, or TrustKit would not report it.
    public init?(_ verdict: TrustVerdict) {
        guard let pinning = verdict.pinning, let result = TrustKitResult(verdict), result.isReported else { return nil }
        self.verdict = verdict
        self.result = result
        self.pinning = pinning
    }

    /// The chain that was judged: the verified path, or what was presented where there is none.
    var validatedChain: [CertificateView] {
        verdict.path?.certificates ?? verdict.presented?.certificates ?? []
    }

    /// Where it goes, as the policy says. Never anywhere else.
    public var destinations: [String] { pinning.reportURIs }

    func host(_ redaction: ReportRedaction) -> String {
        redaction.contains(.hostname) ? pinning.notedHost.text : verdict.subject?.host.text ?? ""
    }

    var knownPins: [String] {
        pinning.pins.listed.map { "pin-sha256=\"\($0.digest.base64)\"" }
    }

    /// A certificate as TrustKit writes it: body lines of 64 columns that end in CR LF, header and footer in LF.
    static func trustKitPEM(_ certificate: CertificateView) -> String {
        let lines = certificate.pem.split(separator: "\n")
        let body = lines.dropFirst().dropLast().joined(separator: "\r\n")
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    }
}
