import HoldfastTrust

/// The policy of a case, or of one of its evaluators.
struct EvaluationPolicy: Hashable {
    /// How the pins relate to the system verification.
    enum Mode: String, Hashable, CaseIterable {
        /// The pins are compared with a path that the system verification accepted.
        case system
        /// The pinned keys replace the system verification, as in the chat SDK.
        case pinnedKeysOnly
    }

    /// SHA-256 hashes of SubjectPublicKeyInfos, each with its scope.
    var pins: [Pin]
    /// Pinned certificates, as PEM.
    var certificates: [String]
    /// How the pins relate to the system verification.
    var mode: Mode
    /// Whether a mismatch refuses the server.
    var enforce: Bool
    /// Where on the path a certificate, or a pin without a scope of its own, may match.
    var scope: Pin.Scope
    /// When the policy expires.
    var expires: Timestamp?
    /// Whether the host name must match; only for pinned keys.
    var hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Whether the system verification can take part: pinned keys replace it until they expire.
    var usesSystemVerification: Bool { mode == .system || expires != nil }
}

extension EvaluationPolicy: Decodable {
    private enum Keys: String, CodingKey {
        case pins, certificates, mode, enforce, scope, expires, hostnameVerification
    }

    /// One element of `pins`: text, or an object with a scope.
    private struct Element: Decodable {
        private enum Keys: String, CodingKey {
            case sha256, scope
        }

        var text: String
        var scope: Pin.Scope?

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                self.text = text
                return
            }
            let fields = try decoder.container(keyedBy: Keys.self)
            text = try fields.decode(String.self, forKey: .sha256)
            scope = try fields.choice(.scope)
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        let place = CaseError.path(decoder.codingPath)
        let scope: Pin.Scope = try fields.choice(.scope) ?? .any
        let elements = try fields.decodeIfPresent([Element].self, forKey: .pins) ?? []
        pins = try elements.enumerated().map { index, element in
            guard let digest = SPKIDigest(base64: element.text) else {
                throw CaseError("\(place).pins[\(index)] is not the base64 of a SHA-256")
            }
            return Pin(digest, scope: element.scope ?? scope)
        }
        certificates = try fields.decodeIfPresent([String].self, forKey: .certificates) ?? []
        mode = try fields.choice(.mode) ?? .system
        enforce = try fields.decodeIfPresent(Bool.self, forKey: .enforce) ?? true
        self.scope = scope
        expires = try fields.time(
            .expires, orThrow: "\(place).expires is not ISO 8601, as in 2026-03-01 or 2026-03-01T12:00:00Z")
        hostnameVerification = try fields.choice(.hostnameVerification) ?? .automatic
        try refuseContradictions(at: place)
    }

    /// Throws for fields that the mode does not support. They are never ignored.
    private func refuseContradictions(at place: String) throws(CaseError) {
        switch mode {
        case .pinnedKeysOnly:
            // Without the pins, no verification would remain.
            if !enforce { throw CaseError("\(place).enforce cannot be false in the mode pinnedKeysOnly") }
            if scope != .any && !certificates.isEmpty {
                throw CaseError("\(place).scope applies to pins, not to certificates in the mode pinnedKeysOnly")
            }
        case .system:
            if hostnameVerification == .never {
                throw CaseError("\(place).hostnameVerification cannot be never in the mode system")
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns a value of `Choice`; `nil` if the field is absent.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: Key) throws -> Choice?
    where Choice.RawValue == String {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw CaseError("\(CaseError.path(codingPath + [key])) must be one of: \(words)")
        }
        return choice
    }
}
