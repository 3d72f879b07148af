/// The entries of a revocation list: a table of their positions in the list, to look up serial numbers.
///
/// The serial numbers stay in the bytes of the list. A table with 500,000 entries takes 4 MiB, and a lookup takes
/// constant time. The hash function has a random seed for each process, so an authority cannot choose serial numbers
/// that collide.
struct RevocationEntryIndex: Sendable {
    /// Positions of entries. 0 is an empty slot, because no entry begins at the first byte.
    private var slots: [UInt32] = []
    /// The issuers of the certificates in an indirect list: each applies to the entries from a position on (RFC 5280,
    /// 5.3.3).
    private var groups: [Group] = []
    /// The number of different certificates.
    private(set) var count = 0

    private struct Group: Sendable {
        var start: Int
        var issuer: NameDigest
    }

    /// The maximum number of times that the issuer of certificates may change in an indirect list.
    ///
    /// - Error: `CertificateError.Code.malformedDER`
    static let maximumGroups = 4_096

    init() {}

    /// Sets the issuer of the certificates in the entries from a position on.
    mutating func begin(_ issuer: NameDigest, at start: Int) throws(DERFault) {
        guard groups.last?.issuer != issuer else { return }
        guard groups.count < RevocationEntryIndex.maximumGroups else {
            throw DERFault(reason: .tooManyElements, offset: start)
        }
        groups.append(Group(start: start, issuer: issuer))
    }

    /// Creates the table. `starts` are the positions of the entries, which must be valid.
    ///
    /// An entry that repeats a certificate is left out. A revocation replaces a removal of the same certificate.
    mutating func build(_ starts: [UInt32], in der: [UInt8], listIssuer: NameDigest) {
        guard !starts.isEmpty else { return }
        var capacity = 16
        while capacity < starts.count * 2 { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
        for start in starts {
            guard let serial = RevocationEntryIndex.serial(at: Int(start), in: der) else { continue }
            let issuer = issuer(at: Int(start)) ?? listIssuer
            let slot = slot(of: der[serial], issuer, in: der, listIssuer: listIssuer)
            if slots[slot] == 0 {
                slots[slot] = start
                count += 1
            } else if RevocationEntry(at: Int(slots[slot]), in: der)?.reason == .removeFromCRL {
                slots[slot] = start
            }
        }
    }

    /// Returns the entry of a certificate, or `nil` if the list does not contain the certificate.
    func entry(
        of serial: ArraySlice<UInt8>, _ issuer: NameDigest, in der: [UInt8], listIssuer: NameDigest
    ) -> RevocationEntry? {
        guard !slots.isEmpty else { return nil }
        let start = slots[slot(of: serial, issuer, in: der, listIssuer: listIssuer)]
        return start == 0 ? nil : RevocationEntry(at: Int(start), in: der)
    }

    /// Returns the slot of a certificate, or the empty slot where it belongs. At least half of the slots are empty.
    private func slot(
        of serial: ArraySlice<UInt8>, _ issuer: NameDigest, in der: [UInt8], listIssuer: NameDigest
    ) -> Int {
        var hasher = Hasher()
        serial.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(issuer)
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0 {
            let start = Int(slots[slot])
            if let range = RevocationEntryIndex.serial(at: start, in: der), der[range] == serial,
                (self.issuer(at: start) ?? listIssuer) == issuer
            {
                return slot
            }
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// Returns the issuer of the certificate in an entry, or `nil` for the issuer of the list.
    private func issuer(at start: Int) -> NameDigest? {
        guard !groups.isEmpty else { return nil }
        var low = 0
        var high = groups.count
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].start <= start { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : groups[low - 1].issuer
    }

    private static func serial(at start: Int, in der: [UInt8]) -> Range<Int>? {
        var list = DERReader(der, in: start..<der.count)
        guard let element = try? list.read(DERTag.sequence) else { return nil }
        var entry = list.inside(element)
        return try? entry.read(DERTag.integer).content
    }
}

/// The entry of a certificate in a revocation list (RFC 5280, 5.1.2.6).
struct RevocationEntry: Hashable, Sendable {
    /// The time of the revocation.
    var time: Timestamp
    /// The reason, or `nil` if the list states none.
    var reason: RevocationReason?

    init(time: Timestamp, reason: RevocationReason? = nil) {
        self.time = time
        self.reason = reason
    }

    /// Returns the entry of a certificate after this entry of a delta list, `nil` for none. A removal lifts a hold
    /// only: other revocations are permanent (RFC 5280, 5.3.1).
    func applied(to entry: RevocationEntry?) -> RevocationEntry? {
        guard reason == .removeFromCRL else { return self }
        return entry?.reason == .certificateHold ? nil : entry
    }

    /// `id-ce-cRLReasons`.
    static let reasonIdentifier: [UInt8] = [0x55, 0x1D, 0x15]
    /// `id-ce-invalidityDate`.
    static let invalidityDate: [UInt8] = [0x55, 0x1D, 0x18]
    /// `id-ce-certificateIssuer`.
    static let certificateIssuer: [UInt8] = [0x55, 0x1D, 0x1D]

    /// Reads the entry at a position.
    fileprivate init?(at start: Int, in der: [UInt8]) {
        var list = DERReader(der, in: start..<der.count)
        guard let element = try? list.read(DERTag.sequence) else { return nil }
        var entry = list.inside(element)
        guard (try? entry.read(DERTag.integer)) != nil, let time = try? entry.readTime().time else { return nil }
        self.time = time
        guard var extensions = try? entry.contentIfPresent(DERTag.sequence) else { return }
        while !extensions.isAtEnd, let (identifier, _, value) = try? extensions.readExtension() {
            guard identifier.elementsEqual(RevocationEntry.reasonIdentifier) else { continue }
            var reader = DERReader(der, in: value)
            reason = (try? reader.readSmallInteger(DERTag.enumerated)).flatMap(RevocationReason.init(number:))
        }
    }
}
