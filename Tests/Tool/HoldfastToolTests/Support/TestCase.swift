import Foundation
import HoldfastTestSupport
import HoldfastTrust

/// A case for `holdfast evaluate`, as JSON values.
struct TestCase {
    var fields: [String: any Sendable]

    /// Creates a case for `identity`, with its root as the only anchor.
    init(_ id: String, _ identity: Identity, host: String = "shop.example", anchors: [Identity]? = nil) {
        let roots = anchors?.map(\.certificatePEM) ?? identity.rootDER.map { [CertificateText.pem($0)] } ?? []
        fields = [
            "id": id, "chain": identity.chain.map(CertificateText.pem), "anchors": roots, "host": host,
            "time": CertificateFactory.referenceTime.description,
        ]
    }

    /// Returns the case with a field added or replaced.
    func with(_ key: String, _ value: any Sendable) -> TestCase {
        var copy = self
        copy.fields[key] = value
        return copy
    }

    /// Returns the case without a field.
    func without(_ key: String) -> TestCase {
        var copy = self
        copy.fields[key] = nil
        return copy
    }

    /// Returns the case with a policy.
    func policy(_ policy: [String: any Sendable]) -> TestCase { with("policy", policy) }

    var line: String {
        get throws {
            let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
            return String(decoding: data, as: UTF8.self)
        }
    }
}
