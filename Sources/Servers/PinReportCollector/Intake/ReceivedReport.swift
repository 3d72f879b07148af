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
