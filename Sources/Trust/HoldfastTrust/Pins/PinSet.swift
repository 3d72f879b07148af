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
