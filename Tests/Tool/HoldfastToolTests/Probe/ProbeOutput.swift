import Foundation

/// The output of `holdfast probe --json`.
struct ProbeOutput: Decodable {
    struct Certificate: Decodable {
        var served: Int?
        var path: Int?
        var subject: String
        var issuer: String
        var names: [String]
        var key: String
        var pin: String
        var notAfter: String?
        var daysLeft: Int?
        var pinMatch: String?
    }

    struct Connection: Decodable {
        var address: String
        var tlsVersion: String?
        var cipherSuite: String?
        var alpn: String?
        var serverName: String?
    }

    struct Verdict: Decodable {
        var judge: String
        var permits: Bool
        var code: String
    }

    struct Finding: Decodable {
        var code: String
    }

    struct Advice: Decodable {
        var place: String
        var line: String
    }

    struct PinValue: Decodable {
        var sha256: String
    }

    struct TwoWay: Decodable {
        struct Step: Decodable {
            var name: String
            var expected: String
            var result: String
            var passed: Bool
            var code: String?
        }

        var passed: Bool
        var steps: [Step]
    }

    struct Probe: Decodable {
        var host: String
        var port: Int
        var result: String
        var asExpected: Bool?
        var failure: Finding?
        var connection: Connection?
        var certificates: [Certificate]
        var sentCertificates: Int
        var verdicts: [Verdict]
        var unseenPins: [PinValue]
        var advice: Advice?
        var warnings: [Finding]
        var twoWay: TwoWay?
    }

    struct Event: Decodable {
        var kind: String
    }

    var exitCode: Int
    var events: [Event]?
    var probes: [Probe]

    static func read(_ text: some StringProtocol) throws -> ProbeOutput {
        try JSONDecoder().decode(ProbeOutput.self, from: Data(text.utf8))
    }
}
