import Foundation
import HoldfastFormats
import HoldfastTrust

// The keys of TrustKit's configuration, with the values from TrustKit's source.

// MARK: For all domains

/// Whether TrustKit intercepts the delegates of `URLSession`. Not supported: `true` is reported as unsupported; see
/// ``TrustKit``.
public let kTSKSwizzleNetworkDelegates = "TSKSwizzleNetworkDelegates"
/// Whether pins are ignored for anchors that a user installed (macOS). Not supported: pins apply to every anchor.
public let kTSKIgnorePinningForUserDefinedTrustAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"
/// The pinned domains with their settings.
public let kTSKPinnedDomains = "TSKPinnedDomains"

// MARK: For one domain

/// The pins: SHA-256 of the SubjectPublicKeyInfo, in base64. At least two if pinning is enforced.
public let kTSKPublicKeyHashes = "TSKPublicKeyHashes"
/// Whether a pin mismatch blocks the connection; `true` by default.
public let kTSKEnforcePinning = "TSKEnforcePinning"
/// Whether the settings apply to all subdomains; `false` by default.
public let kTSKIncludeSubdomains = "TSKIncludeSubdomains"
/// Whether the subdomain is excluded from its parent's settings. The value is misspelt in TrustKit's own source. The
/// documented form, `TSKExcludeSubdomainFromParentPolicy`, is also read.
public let kTSKExcludeSubdomainFromParentPolicy = "kSKExcludeSubdomainFromParentPolicy"
/// The addresses for reports of pin failures.
public let kTSKReportUris = "TSKReportUris"
/// Whether to omit TrustKit's default report server. Holdfast never contacts that server.
public let kTSKDisableDefaultReportUri = "TSKDisableDefaultReportUri"
/// The day from whose start (UTC) the pins no longer apply: `yyyy-MM-dd` or a date.
public let kTSKExpirationDate = "TSKExpirationDate"
/// Deprecated in TrustKit and ignored: keys of all types are hashed.
public let kTSKPublicKeyAlgorithms = "TSKPublicKeyAlgorithms"

// MARK: Values of the deprecated key

/// RSA, 2048 bits.
public let kTSKAlgorithmRsa2048 = "TSKAlgorithmRsa2048"
/// RSA, 4096 bits.
public let kTSKAlgorithmRsa4096 = "TSKAlgorithmRsa4096"
/// ECDSA on P-256.
public let kTSKAlgorithmEcDsaSecp256r1 = "TSKAlgorithmEcDsaSecp256r1"
/// ECDSA on P-384.
public let kTSKAlgorithmEcDsaSecp384r1 = "TSKAlgorithmEcDsaSecp384r1"

extension PropertyNode {
    /// The maximum nesting depth of a configuration; TrustKit's own has five levels.
    ///
    /// - Error: `PolicyError`
    private static let depthLimit = 16

    /// Converts an in-memory configuration for the policy format readers, with members ordered by key.
    ///
    /// Throws an error that lists all values that a property list cannot contain, with their paths.
    init(configuration: [String: Any]) throws(PolicyError) {
        var problems: [PolicyError.Problem] = []
        self = PropertyNode.node(configuration, at: "", depth: 0, &problems)
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
    }

    private static func node(
        _ value: Any, at path: String, depth: Int, _ problems: inout [PolicyError.Problem]
    ) -> PropertyNode {
        guard depth < depthLimit else {
            problems.append(.init(path: path, reason: "the nesting exceeds \(depthLimit) levels"))
            return PropertyNode(.null)
        }
        switch value {
        case let text as String: return PropertyNode(.string(text))
        case let flag as Bool: return PropertyNode(.bool(flag))
        case let number as Int: return PropertyNode(.integer(Int64(number)))
        case let date as Date:
            guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { break }
            return PropertyNode(.date(Timestamp(secondsSince1970: seconds)))
        case let data as Data: return PropertyNode(.data(Array(data)))
        case let members as [String: Any]:
            return PropertyNode(
                .dictionary(
                    members.sorted { $0.key < $1.key }.map { key, value in
                        Member(
                            key: key,
                            value: node(value, at: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1, &problems))
                    }))
        case let values as [Any]:
            return PropertyNode(
                .array(
                    values.enumerated().map { index, value in
                        node(value, at: "\(path)[\(index)]", depth: depth + 1, &problems)
                    }))
        default: break
        }
        problems.append(.init(path: path, reason: "a configuration cannot contain a value of type \(type(of: value))"))
        return PropertyNode(.null)
    }
}
