import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// A text that triggers a finding, and a corrected text that does not.
struct FindingSample: Sendable, CustomTestStringConvertible {
    var code: String
    var format: PolicyFormat
    /// The target format of the conversion, or `nil` for lint.
    var target: PolicyFormat?
    var host: String?
    var broken: String
    var sound: String

    var testDescription: String { code }

    init(
        _ code: String, _ format: PolicyFormat, to target: PolicyFormat? = nil, host: String? = "example.com",
        _ broken: String, _ sound: String
    ) {
        self.code = code
        self.format = format
        self.target = target
        self.host = host
        self.broken = FindingSample.filled(broken)
        self.sound = FindingSample.filled(sound)
    }

    /// Replaces `P1`, `P2` … with pins, and `PINS` with lists of pins.
    static func filled(_ text: String) -> String {
        var text = text.replacing("PINS", with: "\"pins\": [\"P1\", \"P2\"]")
            .replacing("HASHES", with: "\"TSKPublicKeyHashes\": [\"P1\", \"P2\"]")
            .replacing("HEADER", with: "pin-sha256=\"P1\"; pin-sha256=\"P2\"")
        for number in UInt8(1)...4 { text = text.replacing("P\(number)", with: TestPins.text(number)) }
        return text
    }

    func findings(_ text: String) throws -> [PolicyDiagnostic] {
        let now = CertificateFactory.referenceTime
        let document = PolicyFormats.read(
            text, as: format, options: PolicyReadOptions(host: host, keys: Array("KeyA\nsha256/\(TestPins.one)\n".utf8))
        )
        if let target {
            return PolicyFormats.write(document, as: target, options: PolicyWriteOptions(host: host, time: now)).report
        }
        return PolicyLint.check(document, at: now) + PolicyLint.checkConfiguration(Array(text.utf8))
    }

    static let all = reading + readingForeign + linting + converting
}
