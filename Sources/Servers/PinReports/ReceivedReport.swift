package import HoldfastTrust

/// A parsed report with valid fields.
package struct ReceivedReport: Hashable, Sendable {
    /// TrustKit's information about the app.
    package struct App: Hashable, Sendable {
        package var bundleID: String
        package var version: String
        package var vendorID: String
        package var platform: String
        package var platformVersion: String?
        package var trustKitVersion: String
    }

    package var format: ReceivedReportFormat
    /// The app's time.
    package var reportedAt: Timestamp
    package var host: CanonicalHost
    /// The port; 0 if the app does not know it.
    package var port: Int
    package var notedHost: CanonicalHost
    package var includesSubdomains: Bool
    /// TrustKit only.
    package var isEnforced: Bool?
    /// TrustKit only.
    package var result: TrustKitResult?
    /// TrustKit only.
    package var app: App?
    /// The SHA-256 pins in base64.
    package var knownPins: [String]
    package var expires: Timestamp?
    /// The version of the policy bundle that was in force. Holdfast's reporter adds it to TrustKit's format.
    package var policyVersion: Int64?
    package var validatedChain: [ReportedCertificate]
    /// The served chain; `nil` if the format has none.
    package var servedChain: [ReportedCertificate]?
    /// The names of unknown members. They are part of the stored bytes.
    package var unknownMembers: [String]

    /// The JSON that readers receive.
    package var details: JSONNode.Value {
        // One literal with all fields is too much for the type checker.
        var fields: [(String, JSONNode.Value?)] = []
        fields.append(("format", .string(format.rawValue)))
        fields.append(("reportedAt", .text(reportedAt)))
        fields.append(("host", .string(host.text)))
        fields.append(("port", .number(String(port))))
        fields.append(("notedHost", .string(notedHost.text)))
        fields.append(("includesSubdomains", .bool(includesSubdomains)))
        fields.append(("enforced", isEnforced.map { .bool($0) } ?? .null))
        fields.append(("result", result.map { .string($0.name) } ?? .null))
        fields.append(("app", app?.json))
        fields.append(("knownPins", .list(knownPins.map { .string($0) })))
        fields.append(("pinsExpire", expires.map { .text($0) } ?? .null))
        fields.append(("policyVersion", policyVersion.map { .number(String($0)) }))
        fields.append(("validatedChain", .list(validatedChain.map(\.json))))
        fields.append(("servedChain", servedChain.map { .list($0.map(\.json)) }))
        if !unknownMembers.isEmpty { fields.append(("unknownMembers", .list(unknownMembers.map { .string($0) }))) }
        return .fields(fields)
    }
}

extension ReceivedReport.App {
    fileprivate var json: JSONNode.Value {
        .fields([
            ("bundleID", .string(bundleID)), ("version", .string(version)), ("vendorID", .string(vendorID)),
            ("platform", .string(platform)), ("platformVersion", platformVersion.map { .string($0) } ?? .null),
            ("trustKitVersion", .string(trustKitVersion)),
        ])
    }
}

/// The formats of reports.
package enum ReceivedReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's format, on iOS or Android.
    case trustKit = "trustkit"
    /// RFC 7469, section 3.
    case hpkp
}

/// A certificate of a report, as listed for readers.
package struct ReportedCertificate: Hashable, Sendable {
    /// The subject; `nil` if the certificate cannot be read.
    package var subject: String?
    /// The issuer; `nil` if the certificate cannot be read. Not part of the JSON.
    package var issuer: String?
    /// The SHA-256 of its key in base64: the value of a pin.
    package var pin: String?
    package var notAfter: Timestamp?

    init(_ certificate: CertificateView) {
        subject = certificate.subject
        issuer = certificate.issuer
        pin = certificate.spkiDigest.base64
        notAfter = certificate.notAfter
    }

    /// A certificate that cannot be read.
    package static let unreadable = ReportedCertificate()

    private init() {}

    var json: JSONNode.Value {
        .fields([
            ("subject", subject.map { .string($0) } ?? .null), ("pin", pin.map { .string($0) } ?? .null),
            ("notAfter", notAfter.map { .text($0) } ?? .null),
        ])
    }
}

extension TrustKitResult {
    /// The result's name in answers and queries.
    package var name: String { "\(self)" }

    /// Creates the result with this name or number; `nil` if there is none.
    package init?(named text: String) {
        guard let found = Self.allCases.first(where: { $0.name == text || String($0.rawValue) == text }) else {
            return nil
        }
        self = found
    }
}
