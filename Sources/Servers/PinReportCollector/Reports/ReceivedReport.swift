import HoldfastTrust

/// A parsed report with valid fields.
struct ReceivedReport: Hashable, Sendable {
    /// TrustKit's information about the app.
    struct App: Hashable, Sendable {
        var bundleID: String
        var version: String
        var vendorID: String
        var platform: String
        var platformVersion: String?
        var trustKitVersion: String
    }

    var format: ReceivedReportFormat
    /// The app's time.
    var reportedAt: Timestamp
    var host: CanonicalHost
    /// The port; 0 if the app does not know it.
    var port: Int
    var notedHost: CanonicalHost
    var includesSubdomains: Bool
    /// TrustKit only.
    var isEnforced: Bool?
    /// TrustKit only.
    var result: TrustKitResult?
    /// TrustKit only.
    var app: App?
    /// The SHA-256 pins in base64.
    var knownPins: [String]
    var expires: Timestamp?
    var validatedChain: [ReportedCertificate]
    /// The served chain; `nil` if the format has none.
    var servedChain: [ReportedCertificate]?
    /// The names of unknown members. They are part of the stored bytes.
    var unknownMembers: [String]

    /// The JSON that readers receive.
    var details: JSONNode.Value {
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
enum ReceivedReportFormat: String, Hashable, Sendable, CaseIterable {
    /// TrustKit's format, on iOS or Android.
    case trustKit = "trustkit"
    /// RFC 7469, section 3.
    case hpkp
}

/// A certificate of a report, as listed for readers.
struct ReportedCertificate: Hashable, Sendable {
    /// The subject; `nil` if the certificate cannot be read.
    var subject: String?
    /// The SHA-256 of its key in base64: the value of a pin.
    var pin: String?
    var notAfter: Timestamp?

    init(_ certificate: CertificateView) {
        subject = certificate.subject
        pin = certificate.spkiDigest.base64
        notAfter = certificate.notAfter
    }

    /// A certificate that cannot be read.
    static let unreadable = ReportedCertificate()

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
    var name: String { "\(self)" }

    /// Creates the result with this name or number; `nil` if there is none.
    init?(named text: String) {
        guard let found = Self.allCases.first(where: { $0.name == text || String($0.rawValue) == text }) else {
            return nil
        }
        self = found
    }
}
