import Foundation
import HoldfastTestSupport
import HoldfastTrust

/// Reports as apps send them, with certificates issued for the run.
struct Sample: Sendable {
    static let time = CertificateFactory.referenceTime
    static let host = "chat.example.com"

    let leaf: Identity
    let root: Identity

    /// Created once for all tests, because they do not modify it.
    static let shared = Result { try Sample() }

    private init() throws {
        let factory = CertificateFactory()
        root = try factory.authority("Root")
        leaf = try factory.leaf([Sample.host], signedBy: root)
    }

    /// A report as TrustKit for iOS sends it.
    var trustKit: [String: any Sendable] {
        [
            "app-bundle-id": "com.example.shop", "app-version": "2.1",
            "app-vendor-id": "599F9C00-92DC-4B5C-9464-7971F01F8370", "app-platform": "IOS",
            "app-platform-version": "18.0.1", "trustkit-version": "3.0.0", "date-time": "2031-03-15T11:59:00Z",
            "hostname": "www.chat.example.com", "port": 443, "noted-hostname": Sample.host,
            "include-subdomains": true, "enforce-pinning": true,
            "validated-certificate-chain": [Sample.trustKitPEM(leaf), Sample.trustKitPEM(root)],
            "known-pins": [
                "pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\"",
                "pin-sha256=\"\(SPKIDigest(hashing: [2]).base64)\"",
            ],
            "known-pins-expiration-date": "2032-01-02", "validation-result": 1,
        ]
    }

    /// A report as TrustKit for Android sends it.
    var android: [String: any Sendable] {
        var report = trustKit
        report["app-platform"] = "ANDROID"
        report["app-platform-version"] = nil
        report["known-pins-expiration-date"] = nil
        report["date-time"] = "2031-03-15T13:59:00+0200"
        report["served-certificate-chain"] = [leaf.certificatePEM]
        return report
    }

    /// A report as defined by RFC 7469.
    var hpkp: [String: any Sendable] {
        [
            "date-time": "2031-03-15T11:59:00.5Z", "hostname": "www.chat.example.com", "port": 443,
            "effective-expiration-date": "2031-05-01T12:40:50Z", "include-subdomains": false,
            "noted-hostname": Sample.host, "served-certificate-chain": [leaf.certificatePEM],
            "validated-certificate-chain": [leaf.certificatePEM, root.certificatePEM],
            "known-pins": ["pin-sha256=\"\(SPKIDigest(hashing: [1]).base64)\""],
        ]
    }

    static func bytes(_ report: [String: any Sendable]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: report, options: [.sortedKeys]))
    }

    /// Returns a report that differs from others only in its app's version.
    func numbered(_ number: Int, host: String = Sample.host) throws -> [UInt8] {
        var report = trustKit
        report["app-version"] = "1.\(number)"
        report["hostname"] = host
        return try Sample.bytes(report)
    }

    /// Formats a certificate like TrustKit: CR LF inside, LF around.
    private static func trustKitPEM(_ identity: Identity) -> String {
        let body = Data(identity.certificateDER).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    }
}
