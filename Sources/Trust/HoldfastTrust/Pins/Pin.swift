import HoldfastBase

/// One pinned identity: a hash, what it is the hash of, and where on the path it may match.
public struct Pin: Hashable, Sendable, CustomStringConvertible {
    /// What was hashed.
    public enum Domain: String, Hashable, Sendable, CaseIterable {
        /// The SubjectPublicKeyInfo, as everyone but GentleNetworking hashes it.
        case spki
        /// The key alone: PKCS#1 for RSA, the X9.63 point for elliptic curves.
        case rawKey
        /// The whole certificate.
        case certificate
    }

    /// Where on the verified path a pin may match.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Anywhere.
        case any
        /// The server's own certificate alone.
        case leaf
        /// Any certificate above the server's own.
        case ca
    }

    package let sha256: SHA256Hash
    /// What was hashed.
    public let domain: Domain
    /// Where it may match.
    public let scope: Scope

    /// Pins a key by its SubjectPublicKeyInfo, as everyone but GentleNetworking does.
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

    /// Makes a pin of a hash whose meaning is data, as in a policy file.
    package init(_ sha256: SHA256Hash, domain: Domain, scope: Scope = .any) {
        self.sha256 = sha256
        self.domain = domain
        self.scope = scope
    }

    /// The hash of the SubjectPublicKeyInfo; `nil` if the pin is of another ``domain-swift.property``.
    public var spkiDigest: SPKIDigest? { domain == .spki ? SPKIDigest(sha256) : nil }

    /// The 32 bytes of the SHA-256. ``domain-swift.property`` says what was hashed.
    public var bytes: [UInt8] { sha256.bytes }

    /// The SHA-256 in base64, without a prefix. ``domain-swift.property`` says what was hashed.
    public var base64: String { sha256.base64 }

    public var description: String {
        switch domain {
        case .spki: "sha256/" + base64
        case .rawKey: "raw-key-sha256/" + base64
        case .certificate: "certificate-sha256/" + base64
        }
    }
}

/// Pins, ready to be compared with verified paths.
public struct PinSet: Hashable, Sendable {
    /// The pins.
    public let pins: Set<Pin>
    private let needsRawKeys: Bool
    private let needsCertificates: Bool

    /// Collects pins.
    public init(_ pins: some Sequence<Pin>) {
        self.pins = Set(pins)
        needsRawKeys = self.pins.contains { $0.domain == .rawKey }
        needsCertificates = self.pins.contains { $0.domain == .certificate }
    }

    /// Pins keys, wherever on a path they appear: what `holdfast pin` prints, read by ``SPKIDigest/init(_:)``.
    public init(keys: some Sequence<SPKIDigest>) {
        self.init(keys.map { Pin($0) })
    }

    /// Whether there are none.
    public var isEmpty: Bool { pins.isEmpty }

    /// How many hashes are pinned. A hash that may be of the SubjectPublicKeyInfo or of the bare key is one pin.
    public var count: Int { Set(pins.map(\.sha256)).count }

    var isSingle: Bool { count == 1 }

    /// The pins in a stable order, for texts and reports.
    public var sorted: [Pin] {
        pins.sorted { ($0.description, $0.scope.rawValue) < ($1.description, $1.scope.rawValue) }
    }

    /// The pins in a stable order for people: a hash that may be of either form is listed once.
    var listed: [Pin] {
        sorted.filter { pin in
            pin.domain != .rawKey || !pins.contains(Pin(pin.sha256, domain: .spki, scope: pin.scope))
        }
    }

    /// The first pin that a certificate of the path matches, from the server's own upwards.
    func match(on path: VerifiedPath) -> Pin? {
        for (index, certificate) in path.certificates.enumerated() {
            if let pin = match(certificate, isLeaf: index == 0) { return pin }
        }
        return nil
    }

    /// Whether a certificate at this place matches: for lint, which has no verified path. No decision may use it.
    package func matches(_ certificate: CertificateView, isLeaf: Bool) -> Bool {
        match(certificate, isLeaf: isLeaf) != nil
    }

    /// The pin that one certificate matches at this place of a path.
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

/// Why a text is not a pin. Thrown by ``SPKIDigest/init(_:)``.
public struct PinError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The text does not begin with `sha256/`.
        public static let missingPrefix = Code(rawValue: "missingPrefix")
        /// The text names another hash function, or the hash of something other than a SubjectPublicKeyInfo.
        public static let unsupportedHash = Code(rawValue: "unsupportedHash")
        /// The text behind the prefix is not standard base64 (RFC 4648, section 4).
        public static let invalidBase64 = Code(rawValue: "invalidBase64")
        /// The text behind the prefix does not stand for 32 bytes.
        public static let wrongLength = Code(rawValue: "wrongLength")
    }

    /// The kind of failure.
    public let code: Code
    /// The text, safe to print and cut at 512 characters.
    public let spelling: String
    /// One sentence for a person, with what to write instead.
    public let reason: String

    public var description: String { reason }

    init(_ code: Code, _ text: String, _ flaw: String) {
        self.code = code
        self.spelling = Printable.text(text)
        self.reason = "The pin \"\(spelling)\" \(flaw)."
    }
}
