import HoldfastTrust

extension PinReport: Encodable {
    private enum Keys: String, CodingKey {
        case source, system, systemReason, keys, unreadable
    }

    /// One JSON object on several lines, with sorted keys.
    var json: String { get throws { try PrettyJSON.text(of: self) } }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(source, forKey: .source)
        try fields.encodeIfPresent(system?.code.rawValue, forKey: .system)
        try fields.encodeIfPresent(system?.reason, forKey: .systemReason)
        try fields.encode(entries, forKey: .keys)
        if !unreadable.isEmpty { try fields.encode(unreadable.map(\.error.reason), forKey: .unreadable) }
    }
}

extension PinEntry: Encodable {
    private enum Keys: String, CodingKey {
        case kind, subject, issuer, notBefore, notAfter, names, key, pin, rawKeySHA256, certificateSHA256, command
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(kind.rawValue, forKey: .kind)
        if let certificate {
            try fields.encode(certificate.subject, forKey: .subject)
            try fields.encode(certificate.issuer, forKey: .issuer)
            try fields.encode(certificate.notBefore?.description, forKey: .notBefore)
            try fields.encode(certificate.notAfter?.description, forKey: .notAfter)
            try fields.encode(certificate.names, forKey: .names)
            try fields.encode(certificate.certificateDigest.base64, forKey: .certificateSHA256)
        }
        try fields.encode(key.keyDescription, forKey: .key)
        try fields.encode(key.digest.base64, forKey: .pin)
        try fields.encode(key.rawKeyDigest.base64, forKey: .rawKeySHA256)
        try fields.encode(command, forKey: .command)
    }
}
