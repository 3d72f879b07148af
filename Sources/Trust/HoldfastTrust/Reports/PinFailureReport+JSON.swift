extension PinFailureReport {
    /// The value of `trustkit-version`: TrustKit's own constant in its versions 3.0.x, which collectors look for.
    static let trustKitVersion = "3.0.0"

    /// The report as TrustKit sends it, field for field: the body of a POST with `Content-Type: application/json`.
    public func trustKitJSON(from identity: ReportIdentity, redaction: ReportRedaction = []) -> String {
        let chain = redaction.contains(.certificates) ? [] : validatedChain
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
                ("port", .text(verdict.subject?.port ?? 0).asNumber),
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
            ]))
    }

    /// The report of RFC 7469, 3. The served chain holds what was sent, unreadable certificates too; the validated one is
    /// empty where no path was verified.
    public func hpkpJSON(redaction: ReportRedaction = []) -> String {
        let isRedacted = redaction.contains(.certificates)
        let served = isRedacted ? [] : verdict.presented?.served ?? []
        let validated = isRedacted ? [] : verdict.path?.certificates ?? []
        return JSONWriter.text(
            .fields([
                ("date-time", .text(verdict.time)),
                ("hostname", .string(host(redaction))),
                ("port", .text(verdict.subject?.port ?? 0).asNumber),
                ("effective-expiration-date", pinning.expires.map { .text($0) } ?? .null),
                ("include-subdomains", .bool(pinning.includesSubdomains)),
                ("noted-hostname", .text(pinning.notedHost)),
                ("served-certificate-chain", .list(served.map { .string(CertificateView.pem($0)) })),
                ("validated-certificate-chain", .list(validated.map { .string($0.pem) })),
                ("known-pins", .list(knownPins.map { .string($0) })),
            ]))
    }
}

extension JSONNode.Value {
    /// Digits as a number.
    fileprivate var asNumber: JSONNode.Value {
        if case .string(let digits) = self { .number(digits) } else { self }
    }
}
