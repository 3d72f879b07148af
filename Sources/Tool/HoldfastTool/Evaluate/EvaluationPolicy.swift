import HoldfastTrust

/// The policy of a case.
struct EvaluationPolicy: Hashable {
    /// How the pins relate to the system verification.
    enum Mode: String, Hashable, CaseIterable {
        /// The pins are compared with a path that the system verification accepted.
        case system
        /// The pinned keys replace the system verification, as in the chat SDK.
        case pinnedKeysOnly
    }

    /// SHA-256 hashes of SubjectPublicKeyInfos.
    var pins: [SPKIDigest]
    /// Pinned certificates, as PEM.
    var certificates: [String]
    /// How the pins relate to the system verification.
    var mode: Mode
    /// Whether a mismatch refuses the server.
    var enforce: Bool
    /// Where on the path a pin may match.
    var scope: Pin.Scope
    /// When the policy expires.
    var expires: Timestamp?
    /// Whether the host name must match; only for pinned keys.
    var hostnameVerification: PinnedKeysOnly.HostnameVerification
}

extension EvaluationPolicy: Decodable {
    private enum Keys: String, CodingKey {
        case pins, certificates, mode, enforce, scope, expires, hostnameVerification
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        pins = try (fields.decodeIfPresent([String].self, forKey: .pins) ?? []).enumerated().map { index, text in
            guard let digest = SPKIDigest(base64: text) else {
                throw CaseError("policy.pins[\(index)] is not the base64 of a SHA-256")
            }
            return digest
        }
        certificates = try fields.decodeIfPresent([String].self, forKey: .certificates) ?? []
        mode = try fields.choice(.mode) ?? .system
        enforce = try fields.decodeIfPresent(Bool.self, forKey: .enforce) ?? true
        scope = try fields.choice(.scope) ?? .any
        expires = try fields.time(
            .expires, orThrow: "policy.expires is not ISO 8601, as in 2026-03-01 or 2026-03-01T12:00:00Z")
        hostnameVerification = try fields.choice(.hostnameVerification) ?? .automatic
        try refuseContradictions()
    }

    /// Throws for fields that the mode does not support. They are never ignored.
    private func refuseContradictions() throws(CaseError) {
        switch mode {
        case .pinnedKeysOnly:
            // Without the pins, no verification would remain.
            if !enforce { throw CaseError("policy.enforce cannot be false in the mode pinnedKeysOnly") }
            if scope != .any && !certificates.isEmpty {
                throw CaseError("policy.scope applies to pins, not to certificates in the mode pinnedKeysOnly")
            }
        case .system:
            if hostnameVerification == .never {
                throw CaseError("policy.hostnameVerification cannot be never in the mode system")
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns a value of `Choice`; `nil` if the field is absent.
    fileprivate func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice?
    where Choice.RawValue == String {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CaseError("policy.\(key.stringValue) must be one of: \(words)")
        }
        return choice
    }
}
