import HoldfastTrust

/// A key that `holdfast pin advise` considers.
struct AdvisedKey: Hashable {
    /// What has the key.
    enum Role: String, Hashable {
        /// The server.
        case leaf
        /// The operator, for a later certificate of the server.
        case backup
        /// A certificate authority that is not the end of a path.
        case intermediate
        /// A certificate authority in which a verified path ends.
        case root
        /// A certificate that the server presents, but that is on no verified path.
        case unverified

        /// The role in words.
        var words: String {
            switch self {
            case .leaf: "leaf: the server's own key"
            case .backup: "backup: the server's next key"
            case .intermediate: "intermediate: the key of a certificate authority"
            case .root: "root: the key in which a verified path ends"
            case .unverified: "not verified: presented, but not on a verified path"
            }
        }

        /// The certificates that a pin for the key may match.
        var scope: Pin.Scope {
            switch self {
            case .leaf, .backup: .leaf
            case .intermediate, .root, .unverified: .ca
            }
        }
    }

    /// The source that contains the key.
    var source: String
    /// What has the key.
    var role: Role
    /// The key.
    var key: PublicKeyInfo
    /// The certificates with the key, without duplicates. A cross-signed authority has several.
    var certificates: [CertificateView] = []
    /// The number of verified paths that contain the key.
    var paths = 0
    /// The reason why the key must not be pinned, as a clause.
    var problem: String?

    /// The time from which no known certificate has the key; `nil` for a key without a certificate.
    var ends: Timestamp? { certificates.compactMap(\.notAfter).max() }

    /// What a pin for this key alone survives.
    var survival: PinSurvival? {
        switch role {
        case .leaf: PinSurvival(sameKey: .yes, newKey: .no, newIntermediate: .yes, newAuthority: .yes)
        case .intermediate: PinSurvival(sameKey: .yes, newKey: .yes, newIntermediate: .no, newAuthority: .no)
        case .root: PinSurvival(sameKey: .yes, newKey: .yes, newIntermediate: .sameRoot, newAuthority: .no)
        case .backup, .unverified: nil
        }
    }

    /// The pin, which matches only the certificates that have this role.
    var pin: Pin { Pin(key.digest, scope: role.scope) }

    /// Returns the reason why a deny list or the key's strength forbids a key, as a clause.
    func refusal(denied: PinSet) -> String? {
        let isDenied = denied.pins.contains { pin in
            switch pin.domain {
            case .spki: pin.bytes == key.digest.sha256.bytes
            case .rawKey: pin.bytes == key.rawKeyDigest.sha256.bytes
            case .certificate: certificates.contains { pin.bytes == $0.certificateDigest.sha256.bytes }
            }
        }
        return isDenied ? "the policy denies this key" : key.weakness
    }
}

/// What a pin, or a set of pins, survives.
struct PinSurvival: Hashable, Encodable {
    /// Whether clients still connect after a change.
    enum Outcome: String, Hashable, Encodable {
        case yes
        case no
        /// Yes, if the new certificate has a backup key.
        case withBackup
        /// Yes, if the new intermediate leads to the same root.
        case sameRoot

        /// The outcome in words.
        var words: String {
            switch self {
            case .yes: "yes"
            case .no: "no"
            case .withBackup: "to the backup"
            case .sameRoot: "same root"
            }
        }
    }

    /// A new certificate for the same key.
    var sameKey: Outcome
    /// A new certificate with another key, by the same intermediate.
    var newKey: Outcome
    /// A new intermediate authority.
    var newIntermediate: Outcome
    /// Another certificate authority.
    var newAuthority: Outcome
}

extension PublicKeyInfo {
    /// The reason why no verified path may contain the key, as a clause. The limits are those of the verification,
    /// which describes a key by its algorithm and size.
    var weakness: String? {
        let words = keyDescription.split(separator: " ")
        if words.count == 2, words[0] == "RSA", let bits = Int(words[1]) {
            return (2_048...8_192).contains(bits) ? nil : "the RSA key has \(bits) bits; 2048 to 8192 are allowed"
        }
        return ["EC P-256", "EC P-384", "EC P-521", "Ed25519"].contains(keyDescription)
            ? nil : "a key of this type is not supported"
    }
}
