import HoldfastBase

/// The signed envelope of a halt, a timestamp or a list of logs. It has the form of a bundle's envelope, with a member
/// and a prefix of its own: a signature for one kind is never valid for another, even under the same key.
struct SignedStatement: Hashable, Sendable {
    /// The kinds of statements.
    enum Kind: String, Hashable, Sendable {
        case halt, timestamp
        case logList = "log list"

        /// The member that has the version of the format.
        var member: String {
            switch self {
            case .halt: "holdfastHalt"
            case .timestamp: "holdfastTimestamp"
            case .logList: "holdfastSignedLogList"
            }
        }

        /// The beginning of each signed message.
        var prefix: String { "holdfast bundle \(rawValue), version 1\n" }
    }

    /// The maximum size of a halt or a timestamp in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    static let maximumSize = 16 << 10
    /// The maximum size of a signed list of logs in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    static let maximumLogListSize = 4 << 20

    /// Returns the maximum size of a statement in bytes. A list of logs is larger than other statements, and base64 and
    /// JSON in an envelope add to its size.
    static func maximumSize(of kind: Kind) -> Int {
        switch kind {
        case .halt, .timestamp: maximumSize
        case .logList: maximumLogListSize
        }
    }

    let kind: Kind
    /// The bytes of the envelope.
    let bytes: [UInt8]
    private let keyID: String
    private let algorithm: BundleAlgorithm
    private let payload: [UInt8]
    private let signature: [UInt8]

    /// Reads an envelope without verifying it.
    init(_ bytes: [UInt8], _ kind: Kind) throws(BundleError) {
        let limit = SignedStatement.maximumSize(of: kind)
        guard bytes.count <= limit else {
            throw BundleError(
                .tooLarge, "The \(kind.rawValue) has \(bytes.count) bytes; the limit is \(limit).")
        }
        let fields = try SignedBundle.fields(
            of: bytes, allowed: [kind.member, "keyID", "algorithm", "payload", "signature"], what: kind.rawValue)
        guard fields[kind.member] == .number("1") else {
            throw BundleError(.malformed, "The \(kind.rawValue) does not have version 1 of the format.")
        }
        guard case .string(let keyID) = fields["keyID"], case .string(let name) = fields["algorithm"],
            let algorithm = BundleAlgorithm(rawValue: name), case .string(let payload) = fields["payload"],
            case .string(let signature) = fields["signature"], let payloadBytes = [UInt8](base64: payload),
            let signatureBytes = [UInt8](base64: signature)
        else {
            throw BundleError(
                .malformed, "keyID, algorithm, payload or signature of the \(kind.rawValue) is missing or malformed.")
        }
        self.kind = kind
        self.bytes = bytes
        self.keyID = keyID
        self.algorithm = algorithm
        self.payload = payloadBytes
        self.signature = signatureBytes
    }

    /// Signs a payload and returns the bytes of the envelope.
    static func sign(
        _ fields: [(String, JSONNode.Value?)], _ kind: Kind, with key: BundleSigningKey
    ) throws(BundleError) -> [UInt8] {
        let payload = Array(JSONWriter.text(.fields(fields)).utf8)
        let message = SignedBundle.message(payload, keyID: key.id, key.algorithm, prefix: kind.prefix)
        let envelope = JSONWriter.text(
            .fields([
                (kind.member, .number("1")),
                ("keyID", .string(key.id)),
                ("algorithm", .string(key.algorithm.rawValue)),
                ("payload", .string(payload.base64)),
                ("signature", .string(try key.sign(message).base64)),
            ]))
        return Array(envelope.utf8)
    }

    /// Verifies the signature, and returns the members of the payload.
    func verified(by keys: [BundleKey], allowed: Set<String>) throws(BundleError) -> [String: JSONNode.Value] {
        let message = SignedBundle.message(payload, keyID: keyID, algorithm, prefix: kind.prefix)
        try keys.verify(signature, for: message, keyID: keyID, algorithm, what: kind.rawValue)
        return try unverified(allowed: allowed)
    }

    /// Returns the members of the payload without verifying its signature.
    func unverified(allowed: Set<String>) throws(BundleError) -> [String: JSONNode.Value] {
        try SignedBundle.fields(of: payload, allowed: allowed, what: kind.rawValue)
    }
}

extension [BundleKey] {
    /// Verifies a signature of the key with this id.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey`, `algorithmMismatch` or `badSignature`.
    func verify(
        _ signature: [UInt8], for message: [UInt8], keyID: String, _ algorithm: BundleAlgorithm, what: String
    ) throws(BundleError) {
        guard let key = first(where: { $0.id == keyID }) else {
            throw BundleError(
                .unknownKey, "The key \"\(Printable.text(keyID))\" of the \(what) is not in the key set.")
        }
        guard key.algorithm == algorithm else {
            throw BundleError(
                .algorithmMismatch,
                "The \(what)'s algorithm is \(algorithm.rawValue), but its key is for \(key.algorithm.rawValue).")
        }
        guard key.isValid(signature, for: message) else {
            throw BundleError(.badSignature, "The signature does not match the key \"\(Printable.text(keyID))\".")
        }
    }
}
