import HoldfastBase
import HoldfastTrust

/// A server's certificate in a probe's report. All text is safe to print.
struct ProbeCertificate: Hashable, Sendable {
    /// Where the certificate was seen.
    enum Place: String, Hashable, Sendable {
        /// The server sent it, and the verified path contains it.
        case both
        /// The server sent it, but no verified path contains it.
        case served
        /// The server did not send it: it was added to build the path, like the root.
        case built
    }

    /// Whether a policy's pin matches the key.
    enum PinMatch: String, Hashable, Sendable {
        /// A pin matches, on the verified path.
        case matched
        /// A pin names the key, but the certificate is on no verified path, so the pin does not count.
        case unverified
    }

    /// The position in the sent chain, from 0; `nil` if the server did not send it.
    var servedPosition: Int?
    /// The position on the verified path, from 0; `nil` if it is not on it.
    var pathPosition: Int?
    var subject: String
    var issuer: String
    var serial: String
    var names: [String]
    /// The kind and size of the key.
    var key: String
    /// The hash of the SubjectPublicKeyInfo.
    var spki: SPKIDigest
    /// The hash of the whole certificate.
    var fingerprint: CertificateDigest
    var notBefore: Timestamp?
    var notAfter: Timestamp?
    /// Whether a pin matches; `nil` if no pin names the key.
    var match: PinMatch?

    /// Where it was seen.
    var place: Place {
        switch (servedPosition, pathPosition) {
        case (_?, _?): .both
        case (nil, _?): .built
        default: .served
        }
    }

    /// Whether this is the server's own certificate.
    var isLeaf: Bool { (servedPosition ?? pathPosition) == 0 }

    /// The maximum number of a certificate's names that are kept. Further ones are left out.
    static let namesLimit = 100

    init(_ view: CertificateView, served: Int?, path: Int?, pins: PinSet) {
        servedPosition = served
        pathPosition = path
        subject = Printable.text(view.subject)
        issuer = Printable.text(view.issuer)
        serial = Printable.text(view.serialNumber)
        names = view.names.prefix(Self.namesLimit).map { Printable.text($0) }
        key = Printable.text(view.keyDescription)
        spki = view.spkiDigest
        fingerprint = view.certificateDigest
        notBefore = view.notBefore
        notAfter = view.notAfter
        let isNamed = pins.matches(view, isLeaf: (path ?? served) == 0)
        match = isNamed ? (path == nil ? .unverified : .matched) : nil
    }

    /// Returns the number of remaining days; `nil` for a malformed validity.
    func daysLeft(at now: Timestamp) -> Int64? { notAfter.map { ExpiryDays.left(from: now, to: $0) } }

    /// Returns the sent certificates in their order, then those that were added to build the path.
    static func list(_ presented: PresentedChain?, path: VerifiedPath?, pins: PinSet) -> [ProbeCertificate] {
        let verified = path?.certificates ?? []
        let places = Dictionary(
            verified.enumerated().map { ($1.certificateDigest, $0) }, uniquingKeysWith: { first, _ in first })
        let unreadable = Set(presented?.unreadable.map(\.index) ?? [])
        let positions = (0..<(presented?.count ?? 0)).lazy.filter { !unreadable.contains($0) }
        let served = presented?.certificates ?? []
        var rows = zip(positions, served).map { position, view in
            ProbeCertificate(view, served: position, path: places[view.certificateDigest], pins: pins)
        }
        let seen = Set(served.map(\.certificateDigest))
        for (position, view) in verified.enumerated() where !seen.contains(view.certificateDigest) {
            rows.append(ProbeCertificate(view, served: nil, path: position, pins: pins))
        }
        return rows
    }
}
