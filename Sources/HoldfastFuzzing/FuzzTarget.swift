import HoldfastFormats
public import HoldfastTrust

/// A reader of hostile bytes, and what must hold for whatever bytes it is given.
///
/// Two programs and a test drive these: libFuzzer, a plain driver with seeded mutations (both in `Fuzz/`), and a run over
/// the committed corpus in the test suite.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Certificates, from their bytes to a verdict.
    case certificate
    /// Several certificates, one behind the other, as a server might send them.
    case chain
    /// Revocation lists.
    case crl
    /// PEM texts.
    case pem
    /// Host names and addresses.
    case host
    /// Policies in Holdfast's own format.
    case json
    /// Signed bundles of policies.
    case bundle
    /// Property lists: TrustKit and `NSPinnedDomains`.
    case plist
    /// XML: Android's network security configuration.
    case xml
    /// The `Public-Key-Pins` header.
    case hpkp
    /// Lines of pins: OkHttp and curl.
    case lines
    /// Chromium's static pins.
    case chromium

    /// The instant for which everything is judged.
    static let time = Timestamp(secondsSince1970: 1_931_342_400)

    /// The formats that a target reads.
    private var formats: [PolicyFormat] {
        switch self {
        case .plist: [.trustKit, .pinnedDomains]
        case .xml: [.android]
        case .hpkp: [.hpkp]
        case .lines: [.okHttp, .curl]
        case .chromium: [.chromium]
        case .json: [.holdfast]
        case .certificate, .chain, .crl, .pem, .host, .bundle: []
        }
    }

    /// Reads the bytes and throws ``BrokenPromise`` if something does not hold. A trap is the other way to fail.
    public func run(_ bytes: [UInt8]) throws(BrokenPromise) {
        switch self {
        case .certificate: try CertificateFuzzing.certificate(bytes)
        case .chain: try CertificateFuzzing.chain(bytes)
        case .crl: try CertificateFuzzing.revocationList(bytes)
        case .pem: try TextFuzzing.pem(bytes)
        case .host: try TextFuzzing.host(bytes)
        case .bundle: try TextFuzzing.bundle(bytes)
        case .json, .plist, .xml, .hpkp, .lines, .chromium:
            for format in formats { try PolicyFuzzing.policy(bytes, format) }
        }
    }
}
