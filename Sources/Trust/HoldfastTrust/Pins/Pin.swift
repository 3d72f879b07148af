import HoldfastBase

/// A pinned identity: a hash, the kind of input that was hashed, and the certificates of the path that it may match.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// The input of the hash.
    public enum Domain: String, Hashable, Sendable, CaseIterable {
        /// The SubjectPublicKeyInfo, as in all libraries except GentleNetworking.
        case spki
        /// The bare key: PKCS#1 for RSA, the X9.63 point for elliptic curves.
        case rawKey
        /// The whole certificate.
        case certificate
    }

    /// The certificates of the verified path that a pin may match.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Any certificate of the path.
        case any
        /// Only the server's own certificate.
        case leaf
        /// Any certificate above the server's own.
        case ca
    }

    package let sha256: SHA256Hash
    /// The input of the hash.
    public let domain: Domain
    /// The certificates that the pin may match.
    public let scope: Scope

    /// Pins a key by its SubjectPublicKeyInfo, as all libraries except GentleNetworking do.
    public init(_ digest: SPKIDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .spki, scope: scope)
    }

    /// Pins a key by its bare bytes.
    public init(_ digest: RawKeyDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .rawKey, scope: scope)
    }

    /// Pins a whole certificate.
    public init(_ digest: CertificateDigest, scope: Scope = .any) {
        self.init(digest.sha256, domain: .certificate, scope: scope)
    }

    /// Creates a pin from a hash whose kind is data, as in a policy file.
    package init(_ sha256: SHA256Hash, domain: Domain, scope: Scope = .any) {
        self.sha256 = sha256
        self.domain = domain
        self.scope = scope
    }

    /// The hash of the SubjectPublicKeyInfo, or `nil` if the pin has another ``domain-swift.property``.
    public var spkiDigest: SPKIDigest? { domain == .spki ? SPKIDigest(sha256) : nil }

    /// The 32 bytes of the SHA-256 hash of the input that ``domain-swift.property`` names.
    public var bytes: [UInt8] { sha256.bytes }

    /// The SHA-256 hash in base64, without a prefix. ``domain-swift.property`` names its input.
    public var base64: String { sha256.base64 }

    /// A textual representation of the value.
    public var description: String {
        switch domain {
        case .spki: "sha256/" + base64
        case .rawKey: "raw-key-sha256/" + base64
        case .certificate: "certificate-sha256/" + base64
        }
    }
}

/// A set of pins that can be compared with verified paths.
public struct PinSet: Hashable, Sendable {
    /// The pins.
    public let pins: Set<Pin>
    private let needsRawKeys: Bool
    private let needsCertificates: Bool

    /// Creates a set of pins.
    public init(_ pins: some Sequence<Pin>) {
        self.pins = Set(pins)
        needsRawKeys = self.pins.contains { $0.domain == .rawKey }
        needsCertificates = self.pins.contains { $0.domain == .certificate }
    }

    /// Pins keys on any certificate of a path, as printed by `holdfast pin` and read by ``SPKIDigest/init(_:)``.
    public init(keys: some Sequence<SPKIDigest>) {
        self.init(keys.map { Pin($0) })
    }

    /// Whether the set is empty.
    public var isEmpty: Bool { pins.isEmpty }

    /// The number of pinned hashes. A hash that may be of the SubjectPublicKeyInfo or of the bare key counts once.
    public var count: Int { Set(pins.map(\.sha256)).count }

    var isSingle: Bool { count == 1 }

    /// The pins in a stable order, for messages and reports.
    public var sorted: [Pin] {
        pins.sorted { ($0.description, $0.scope.rawValue) < ($1.description, $1.scope.rawValue) }
    }

    /// The pins in a stable order for display. A hash that may be of either form is listed once.
    var listed: [Pin] {
        sorted.filter { pin in
            pin.domain != .rawKey || !pins.contains(Pin(pin.sha256, domain: .spki, scope: pin.scope))
        }
    }

    /// Returns the first pin that matches a certificate of the path, from the server's own upwards.
    func match(on path: VerifiedPath) -> Pin? {
        for (index, certificate) in path.certificates.enumerated() {
            if let pin = match(certificate, isLeaf: index == 0) { return pin }
        }
        return nil
    }

    /// Returns whether a certificate matches at this position. For lint, which does not have a verified path. Trust
    /// decisions must not use it.
    package func matches(_ certificate: CertificateView, isLeaf: Bool) -> Bool {
        match(certificate, isLeaf: isLeaf) != nil
    }

    /// Returns the pin that matches a certificate at this position of a path.
    func match(_ certificate: CertificateView, isLeaf: Bool) -> Pin? {
        if let pin = match(certificate.spkiDigest.sha256, .spki, isLeaf) { return pin }
        if needsRawKeys, let pin = match(certificate.rawKeyDigest.sha256, .rawKey, isLeaf) { return pin }
        if needsCertificates, let pin = match(certificate.certificateDigest.sha256, .certificate, isLeaf) { return pin }
        return nil
    }

    private func match(_ sha256: SHA256Hash, _ domain: Pin.Domain, _ isLeaf: Bool) -> Pin? {
        for scope in [Pin.Scope.any, isLeaf ? .leaf : .ca] {
            let pin = Pin(sha256, domain: domain, scope: scope)
            if pins.contains(pin) { return pin }
        }
        return nil
    }
}

/// The reason why a text is not a valid pin. Thrown by ``SPKIDigest/init(_:)``.
public struct PinError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The text does not begin with `sha256/`.
        public static let missingPrefix = Code(rawValue: "missingPrefix")
        /// The text names another hash function, or the hash of something other than a SubjectPublicKeyInfo.
        public static let unsupportedHash = Code(rawValue: "unsupportedHash")
        /// The text after the prefix is not standard base64 (RFC 4648, section 4).
        public static let invalidBase64 = Code(rawValue: "invalidBase64")
        /// The text after the prefix does not encode 32 bytes.
        public static let wrongLength = Code(rawValue: "wrongLength")
    }

    /// The kind of failure.
    public let code: Code
    /// The text, safe to print and limited to 512 characters.
    public let spelling: String
    /// A human-readable sentence that includes the correct form.
    public let reason: String

    /// The reason as text.
    public var description: String { reason }

    init(_ code: Code, _ text: String, _ flaw: String) {
        self.code = code
        self.spelling = Printable.text(text)
        self.reason = "The pin \"\(spelling)\" \(flaw)."
    }
}
