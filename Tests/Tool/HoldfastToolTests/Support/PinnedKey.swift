/// One key of `holdfast pin --json`.
struct PinnedKey: Decodable {
    var kind: String
    var subject: String?
    var issuer: String?
    var notBefore: String?
    var notAfter: String?
    var names: [String]?
    var key: String
    var pin: String
    var rawKeySHA256: String
    var certificateSHA256: String?
    var command: String
}
