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
    public var count: Int { Set(pins.map(\.digest)).count }

    var isSingle: Bool { count == 1 }

    /// The pins in a stable order, for texts and reports.
    public var sorted: [Pin] {
        pins.sorted { ($0.description, $0.scope.rawValue) < ($1.description, $1.scope.rawValue) }
    }

    /// The pins in a stable order for people: a hash that may be of either form is listed once.
    var listed: [Pin] {
        sorted.filter { pin in
            pin.domain != .rawKey || !pins.contains(Pin(pin.digest, domain: .spki, scope: pin.scope))
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
        if let pin = match(certificate.spkiDigest, .spki, isLeaf) { return pin }
        if needsRawKeys, let pin = match(certificate.rawKeyDigest, .rawKey, isLeaf) { return pin }
        if needsCertificates, let pin = match(certificate.certificateDigest, .certificate, isLeaf) { return pin }
        return nil
    }

    private func match(_ digest: SPKIDigest, _ domain: Pin.Domain, _ isLeaf: Bool) -> Pin? {
        for scope in [Pin.Scope.any, isLeaf ? .leaf : .ca] {
            let pin = Pin(digest, domain: domain, scope: scope)
            if pins.contains(pin) { return pin }
        }
        return nil
    }
}
