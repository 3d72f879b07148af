import Foundation
import HoldfastTrust

/// The inputs of a case for the system verification, in addition to the chain, the anchors, the host and the time. The
/// default of each is that of the engine.
struct EvaluationInputs: Hashable {
    /// The maximum number of revocation lists of a case. The answer to a case with more is an error.
    static let listLimit = 1_000

    /// Revocation lists.
    var revocationLists: [RevocationList] = []
    /// Whether each certificate below the anchor needs a revocation list.
    var requiresRevocationLists = false
    /// The inputs for certificate policies.
    var certificatePolicies = CertificatePolicyInputs.anyPolicy
    /// Anchors in which no path may end, as PEM.
    var distrustedAnchors: [String] = []
    /// Constraints of anchors.
    var anchorConstraints: [ConstrainedAnchor] = []
    /// The certificate transparency logs.
    var logs: TransparencyLogs?
    /// The OCSP answer about the server's certificate.
    var ocspAnswer: [UInt8]?
    /// Whether a missing or unusable OCSP answer refuses the server.
    var requiresOCSPAnswer = false
    /// The maximum number of intermediates of a path.
    var maximumIntermediates: Int?
    /// Whether the certificate must be valid for the host.
    var checksHost = true
    /// The names of the fields in the case.
    var names: [String] = []

    /// Whether the OCSP answer is checked.
    var checksOCSP: Bool { ocspAnswer != nil || requiresOCSPAnswer }

    /// Whether only the system verification without pins supports the inputs.
    var needsPlainVerification: Bool { !checksHost || maximumIntermediates != nil }
}

/// An anchor with constraints, as PEM.
struct ConstrainedAnchor: Hashable {
    /// The certificate.
    var certificate: String
    /// The constraints.
    var constraints: TrustAnchorConstraints
}

extension EvaluationInputs: Decodable {
    private enum Keys: String, CodingKey, CaseIterable {
        case crls, requiresRevocationLists, policyInputs, distrustedAnchors, anchorConstraints, logs
        case ocspAnswer, requiresOCSPAnswer, maximumIntermediates, checksHost
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        names = Keys.allCases.filter { fields.contains($0) }.map(\.rawValue)
        let texts = try fields.decodeIfPresent([String].self, forKey: .crls) ?? []
        guard texts.count <= Self.listLimit else { throw CaseError("crls has more than \(Self.listLimit) elements") }
        for (index, text) in texts.enumerated() {
            revocationLists += try Self.revocationLists(in: text, named: "crls[\(index)]")
        }
        requiresRevocationLists = try fields.decodeIfPresent(Bool.self, forKey: .requiresRevocationLists) ?? false
        certificatePolicies =
            try fields.decodeIfPresent(PolicyInputFields.self, forKey: .policyInputs)?.inputs ?? .anyPolicy
        distrustedAnchors = try fields.decodeIfPresent([String].self, forKey: .distrustedAnchors) ?? []
        if fields.contains(.anchorConstraints) {
            var list = try fields.nestedUnkeyedContainer(forKey: .anchorConstraints)
            while !list.isAtEnd {
                let path = "anchorConstraints[\(list.currentIndex)]"
                anchorConstraints.append(try list.decode(ConstrainedAnchorFields.self).anchor(named: path))
            }
        }
        if let text = try fields.decodeIfPresent(String.self, forKey: .logs) {
            do throws(TransparencyLogListError) {
                logs = TransparencyLogs(try TransparencyLogList(json: Array(text.utf8)))
            } catch {
                throw CaseError("logs cannot be read: \(error)")
            }
        }
        if let text = try fields.decodeIfPresent(String.self, forKey: .ocspAnswer) {
            guard let data = Data(base64Encoded: text) else { throw CaseError("ocspAnswer is not base64") }
            ocspAnswer = Array(data)
        }
        requiresOCSPAnswer = try fields.decodeIfPresent(Bool.self, forKey: .requiresOCSPAnswer) ?? false
        maximumIntermediates = try fields.decodeIfPresent(Int.self, forKey: .maximumIntermediates)
        if let maximumIntermediates, maximumIntermediates < 0 {
            throw CaseError("maximumIntermediates is negative")
        }
        checksHost = try fields.decodeIfPresent(Bool.self, forKey: .checksHost) ?? true
    }

    /// Reads the PEM blocks of a text, or the base64 of one list.
    private static func revocationLists(in text: String, named name: String) throws(CaseError) -> [RevocationList] {
        var encodings: [[UInt8]]
        let bytes = Array(text.utf8)
        if PEMReader.isPEM(bytes) {
            do throws(CertificateError) {
                encodings = try PEMReader.blocks(in: bytes).filter { $0.label == "X509 CRL" }.map(\.der)
            } catch {
                throw CaseError("\(name) cannot be read: \(error.reason)")
            }
            guard !encodings.isEmpty else { throw CaseError("\(name) has no block X509 CRL") }
        } else {
            guard let data = Data(base64Encoded: text) else { throw CaseError("\(name) is neither PEM nor base64") }
            encodings = [Array(data)]
        }
        guard encodings.count <= listLimit else { throw CaseError("\(name) has more than \(listLimit) lists") }
        var lists: [RevocationList] = []
        for der in encodings {
            do throws(CertificateError) { lists.append(try RevocationList(der: der)) } catch {
                throw CaseError("\(name) cannot be read: \(error.reason)")
            }
        }
        return lists
    }
}

/// The field `policyInputs`, with the names of RFC 5280, 6.1.1.
private struct PolicyInputFields: Decodable {
    var inputs = CertificatePolicyInputs.anyPolicy

    private enum Keys: String, CodingKey {
        case userInitialPolicySet, initialExplicitPolicy, initialPolicyMappingInhibit, initialAnyPolicyInhibit
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        if let texts = try fields.decodeIfPresent([String].self, forKey: .userInitialPolicySet) {
            var identifiers: Set<CertificatePolicyIdentifier> = []
            for (index, text) in texts.enumerated() {
                do throws(CertificatePolicyError) {
                    identifiers.insert(try CertificatePolicyIdentifier(text))
                } catch {
                    throw CaseError("policyInputs.userInitialPolicySet[\(index)] is not an object identifier")
                }
            }
            inputs.userInitialPolicySet = identifiers
        }
        func flag(_ key: Keys) throws -> Bool { try fields.decodeIfPresent(Bool.self, forKey: key) ?? false }
        inputs.initialExplicitPolicy = try flag(.initialExplicitPolicy)
        inputs.initialPolicyMappingInhibit = try flag(.initialPolicyMappingInhibit)
        inputs.initialAnyPolicyInhibit = try flag(.initialAnyPolicyInhibit)
    }
}

/// An element of the field `anchorConstraints`.
private struct ConstrainedAnchorFields: Decodable {
    var anchor: String
    var permittedNames: [String]?
    var excludedNames: [String]?
    var serverAuthentication: Bool?
    var distrustAfter: String?

    /// Returns the anchor. Throws a sentence that begins with the element's path.
    func anchor(named path: String) throws(CaseError) -> ConstrainedAnchor {
        var constraints = TrustAnchorConstraints()
        if permittedNames != nil || excludedNames != nil {
            do throws(TrustAnchorError) {
                constraints.names = try AnchorNameConstraints(
                    permitted: permittedNames ?? [], excluded: excludedNames ?? [])
            } catch {
                throw CaseError("\(path): \(error.reason)")
            }
        }
        constraints.allowsServerAuthentication = serverAuthentication ?? true
        if let distrustAfter {
            guard let time = Timestamp(iso8601: distrustAfter) else {
                throw CaseError("\(path).distrustAfter is not ISO 8601, as in 2026-03-01T12:00:00Z")
            }
            constraints.serverDistrustAfter = time
        }
        return ConstrainedAnchor(certificate: anchor, constraints: constraints)
    }
}
