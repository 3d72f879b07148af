package import HoldfastTrust

/// The facts of one report that an incident counts.
package struct ReportFacts: Hashable, Sendable {
    /// The incident of the report.
    package var key: IncidentKey
    /// The digest of the installation, 16 bytes; `nil` if the report does not identify the installation.
    package var client: [UInt8]?
    /// The app's version; `nil` if the report has none.
    package var appVersion: String?
    /// The platform, such as `IOS`; `nil` if the report has none.
    package var platform: String?
    /// The version of the operating system; `nil` if the report has none.
    package var platformVersion: String?
    /// The version of the policy bundle that was in force; `nil` if the report has none.
    package var policyVersion: Int64?
    /// The time of arrival.
    package var time: Timestamp
    /// The app's time of the failure. It may be wrong, because the device's clock may be.
    package var reportedAt: Timestamp
    /// The pins that the policy expected, as in `sha256/…`.
    package var expectedPins: [String]
    /// The digest of the root's name, 16 bytes; `nil` if the report has no readable certificate.
    package var root: [UInt8]?

    /// Creates the facts of a report.
    ///
    /// - Parameters:
    ///   - report: The parsed report.
    ///   - receivedAt: The time of arrival; the app's time if `nil`.
    package init(_ report: ReceivedReport, receivedAt: Timestamp? = nil) {
        let app = report.app
        key = IncidentKey(
            app: app?.bundleID ?? "", host: report.host.text, result: report.result?.rawValue,
            seenPin: report.seenPin.map { "sha256/" + $0 })
        client = app.flatMap { Self.client(app: $0.bundleID, installation: $0.vendorID) }
        appVersion = app.flatMap { Self.present($0.version) }
        platform = app.flatMap { Self.present($0.platform) }
        platformVersion = app?.platformVersion.flatMap(Self.present)
        policyVersion = report.policyVersion
        time = receivedAt ?? report.reportedAt
        reportedAt = report.reportedAt
        expectedPins = report.knownPins.map { "sha256/" + $0 }
        root = report.rootName.map(Self.root)
    }

    /// The platform with its version, as the incident counts it.
    package var platformText: String? {
        platform.map { name in platformVersion.map { "\(name) \($0)" } ?? name }
    }

    /// Returns the digest of an installation of an app; `nil` if the identifier is empty, because then all such
    /// reports would count as one installation.
    package static func client(app: String, installation: String) -> [UInt8]? {
        guard !installation.isEmpty else { return nil }
        // The limit of an identifier's size is far below 2³², and the separator cannot occur in either text.
        return Array(SHA256Hash(hashing: Array("\(app)\u{0}\(installation)".utf8)).bytes.prefix(16))
    }

    /// Returns the digest of the name of a root, 16 bytes. A name has any length.
    package static func root(_ name: String) -> [UInt8] {
        Array(SHA256Hash(hashing: Array(name.utf8)).bytes.prefix(16))
    }

    private static func present(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension ReceivedReport {
    /// The pin of the server's own certificate in base64: the first certificate that the server sent, or the first one
    /// of the validated chain if the format has no served chain.
    package var seenPin: String? {
        if let served = servedChain?.first { return served.pin }
        return validatedChain.first?.pin
    }

    /// The name of the root: the issuer of the topmost readable certificate of the validated chain, or else of the
    /// served one.
    package var rootName: String? {
        let chain = validatedChain.isEmpty ? servedChain ?? [] : validatedChain
        return chain.last { $0.issuer != nil }?.issuer
    }
}
