import Foundation
import HoldfastBase
import HoldfastTestSupport
import HoldfastTrust
import NIOCore

/// Complete HTTP requests with reports, one for each incident. A request is a copy of a template with other bytes at
/// three positions, so that the load needs little processor time.
struct ReportTemplates: Sendable {
    /// The bytes of a request, and the positions of what differs.
    private struct Template: Sendable {
        var bytes: ByteBuffer
        var key: Int
        var installation: Int
        var version: Int
    }

    /// The number of certificate chains; incidents share them.
    private static let chains = 16
    private static let keyDigits = 32
    private static let installationText = "00000000-0000-4000-8000-000000000000"

    private let templates: [Template]
    /// Random digits, so that the keys of two runs differ.
    private let run: UInt64
    /// The median size of a report in bytes.
    let reportBytes: Int

    var count: Int { templates.count }

    init(incidents: Int, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        run = UInt64(Date().timeIntervalSince1970 * 1_000) ^ random.next() << 44
        let now = TrustClock.system.now()
        let chains = try Self.makeChains(now)
        let bodies = (0..<incidents).map { Self.body($0, chain: chains[$0 % chains.count], at: now) }
        templates = try bodies.map(Self.template)
        reportBytes = Int(bodies.map { Double($0.utf8.count) }.sorted()[incidents / 2])
    }

    /// The host of an incident.
    static func host(_ incident: Int) -> String { "api-\(incident).fleet.example" }

    // MARK: Requests

    /// Returns the `Idempotency-Key` of a report.
    func key(_ number: UInt64) -> String {
        String(decoding: Self.hex(run, 16) + Self.hex(number, 16), as: UTF8.self)
    }

    /// Returns the request with a report. The same number always gives the same bytes.
    func request(_ number: UInt64, incident: Int) -> ByteBuffer {
        let template = templates[incident]
        var bytes = template.bytes
        bytes.setBytes(Self.hex(run, 16), at: template.key)
        bytes.setBytes(Self.hex(number, 16), at: template.key + 16)
        // Each report is of another installation.
        var mixed = SplitMix64(seed: number)
        bytes.setBytes(Self.hex(mixed.next(), 8), at: template.installation)
        bytes.setBytes(Self.hex(mixed.next(), 12), at: template.installation + 24)
        bytes.setBytes([UInt8(ascii: "0") + UInt8(number % 10)], at: template.version)
        return bytes
    }

    private static func hex(_ value: UInt64, _ digits: Int) -> [UInt8] {
        (0..<digits).map { place in
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(4 * (digits - 1 - place))) & 15
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
        }
    }

    private static func template(_ body: String) throws -> Template {
        let head = """
            POST /reports HTTP/1.1\r
            Host: 127.0.0.1\r
            User-Agent: FleetBench\r
            Content-Type: application/json\r
            Idempotency-Key: "\(String(repeating: "0", count: keyDigits))"\r
            Content-Length: \(body.utf8.count)\r
            \r

            """
        let text = Array((head + body).utf8)
        return Template(
            bytes: ByteBuffer(bytes: text), key: try place(of: "Idempotency-Key: \"", in: text),
            installation: try place(of: "\"app-vendor-id\": \"", in: text),
            version: try place(of: "\"app-version\": \"7.", in: text))
    }

    /// Returns the position behind the first occurrence of a text.
    private static func place(of words: String, in text: [UInt8]) throws -> Int {
        guard let range = Data(text).range(of: Data(words.utf8)) else { throw BenchFailure("no \(words) in a report") }
        return range.upperBound
    }

    // MARK: Reports

    /// Returns a report with the members that Holdfast's reporter sends.
    private static func body(_ incident: Int, chain: [String], at now: Timestamp) -> String {
        let pins = ["current", "backup"].map { name in
            "pin-sha256=\"\(SPKIDigest(hashing: Array("\(name) \(incident)".utf8)).base64)\""
        }
        return JSONWriter.text(
            .fields([
                ("app-bundle-id", .string("com.example.shop\(incident % 4)")), ("app-version", .string("7.0.2")),
                ("app-vendor-id", .string(installationText)), ("app-platform", .string("IOS")),
                ("app-platform-version", .string("18.\(incident % 6).1")), ("trustkit-version", .string("3.0.0")),
                ("date-time", .string(now.description)), ("hostname", .string(host(incident))),
                ("port", .number("443")), ("noted-hostname", .string("fleet.example")),
                ("include-subdomains", .bool(true)), ("enforce-pinning", .bool(true)),
                ("validated-certificate-chain", .list(chain.map { .string($0) })),
                ("known-pins", .list(pins.map { .string($0) })), ("known-pins-expiration-date", .string("2032-01-02")),
                ("validation-result", .number("1")), ("holdfast-policy-version", .number(String(40 + incident % 3))),
            ]))
    }

    /// Returns chains of three certificates as PEM: the server's own with a P-256 key, and two authorities with
    /// RSA-2048 keys, as many public authorities have.
    private static func makeChains(_ now: Timestamp) throws -> [[String]] {
        let factory = CertificateFactory(now: now)
        let root = try factory.authority("Fleet Root", .init(keyKind: .rsa2048))
        let issuer = try factory.intermediate("Fleet Issuer", signedBy: root, .init(keyKind: .rsa2048))
        return try (0..<chains).map { _ in
            let leaf = try factory.leaf(["fleet.example", "*.fleet.example"], signedBy: issuer)
            return [leaf, issuer, root].map { pem($0.certificateDER) }
        }
    }

    /// Returns a certificate as TrustKit writes it.
    private static func pem(_ der: [UInt8]) -> String {
        let body = Data(der).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
    }
}
