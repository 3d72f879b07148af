import Foundation
import HoldfastFormats
import HoldfastTrust

// The keys of TrustKit's configuration, with the values that TrustKit's source gives them.

// MARK: For all domains

/// Whether TrustKit intercepts the delegates of `URLSession`. Not honoured: `true` is reported as such, see ``TrustKit``.
public let kTSKSwizzleNetworkDelegates = "TSKSwizzleNetworkDelegates"
/// Whether pins are passed over for anchors that a user installed (macOS). Not honoured: pins hold for every anchor.
public let kTSKIgnorePinningForUserDefinedTrustAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"
/// The domains with their settings.
public let kTSKPinnedDomains = "TSKPinnedDomains"

// MARK: For a domain

/// The pins: SHA-256 of the SubjectPublicKeyInfo, in base64. At least two where pinning is enforced.
public let kTSKPublicKeyHashes = "TSKPublicKeyHashes"
/// Whether a failed pin blocks; `true` by default.
public let kTSKEnforcePinning = "TSKEnforcePinning"
/// Whether the settings hold for all hosts below the domain; `false` by default.
public let kTSKIncludeSubdomains = "TSKIncludeSubdomains"
/// Whether the subdomain is left out of its parent's settings. The value is misspelt in TrustKit's own source;
/// `TSKExcludeSubdomainFromParentPolicy`, as its documentation has it, is read too.
public let kTSKExcludeSubdomainFromParentPolicy = "kSKExcludeSubdomainFromParentPolicy"
/// Where failed pins are reported.
public let kTSKReportUris = "TSKReportUris"
/// Whether the maker's report server is left out. Holdfast never contacts it, whatever this says.
public let kTSKDisableDefaultReportUri = "TSKDisableDefaultReportUri"
/// The day on which the pins end to apply, `yyyy-MM-dd` or a date: from the start of that day, UTC.
public let kTSKExpirationDate = "TSKExpirationDate"
/// Deprecated in TrustKit, and ignored: keys of every type are hashed.
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
    /// How deep a configuration may be nested; TrustKit's own has five levels.
    private static let depthLimit = 16

    /// A configuration in memory as the readers of policy formats take it. Members are put in the order of their keys.
    ///
    /// Throws every value that has no place in a property list, with its path.
    init(configuration: [String: Any]) throws(PolicyError) {
        var problems: [PolicyError.Problem] = []
        self = PropertyNode.node(configuration, at: "", depth: 0, &problems)
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
    }

    private static func node(
        _ value: Any, at path: String, depth: Int, _ problems: inout [PolicyError.Problem]
    ) -> PropertyNode {
        guard depth < depthLimit else {
            problems.append(.init(path: path, reason: "there are more than \(depthLimit) levels"))
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
        problems.append(.init(path: path, reason: "a value of type \(type(of: value)) has no place in a configuration"))
        return PropertyNode(.null)
    }
}
