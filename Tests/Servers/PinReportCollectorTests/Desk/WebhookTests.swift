import HTTPTypes
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Webhook")
struct WebhookTests {
    // MARK: Address and signature

    @Test(arguments: [
        "https://hooks.example.com/pins", "https://10.0.0.1:8443/x?y=z", "http://127.0.0.1:9000/", "http://[::1]/",
        "http://localhost/x",
    ])
    func secureAndLocalAddressesAreAllowed(url: String) throws {
        _ = try ReportWebhook(url: url, secret: "0123456789abcdef")
    }

    @Test(arguments: [
        "http://hooks.example.com/", "http://169.254.169.254/latest", "http://10.0.0.1/", "ftp://example.com/",
        "file:///etc/passwd", "https://user:secret@example.com/", "https://", "wss://example.com/", "example.com",
        "http://127.0.0.1.example.com/",
    ])
    func otherAddressesAreRefused(url: String) {
        #expect(throws: ReportCollectorError.self) { try ReportWebhook(url: url, secret: "0123456789abcdef") }
    }

    @Test func aShortSecretIsRefusedAndNeverPrinted() throws {
        #expect(throws: ReportCollectorError.self) {
            try ReportWebhook(url: "https://example.com/", secret: "  0123456789abcde\n")
        }
        let webhook = try ReportWebhook(url: "https://example.com/", secret: "0123456789abcdef\n")
        #expect(!"\(webhook)".contains("0123456789"))
        var dumped = ""
        dump(webhook, to: &dumped)
        #expect(!dumped.contains("0123456789"))
    }

    @Test func theSignatureCoversTimeAndBody() throws {
        let webhook = try ReportWebhook(url: "https://example.com/", secret: "0123456789abcdef")
        let time = Timestamp(secondsSince1970: 1_931_342_400)
        // printf '1931342400.{"a":1}' | openssl dgst -sha256 -hmac 0123456789abcdef
        #expect(
            webhook.signature(of: Array("{\"a\":1}".utf8), at: time)
                == "v1=93d5fa785b99536a0b29ba88cdcf95b2d1e013741c07958f88a2a065ae1a5213")
        #expect(webhook.signature(of: Array("{\"a\":2}".utf8), at: time) != webhook.signature(of: [], at: time))
        #expect(
            webhook.signature(of: [], at: time) != webhook.signature(of: [], at: time.advanced(bySeconds: 1)))
    }

    // MARK: Retries

    private func wait(_ retryAfter: Int64?, after failures: Int = 0, entropy: UInt64 = 0) -> Int64? {
        let outcome = WebhookRetry.outcome(
            of: .failed(retryAfter: retryAfter), failures: failures, at: Sample.time, entropy: entropy)
        guard case .retried(let time) = outcome else { return nil }
        return time.secondsSince1970 - Sample.time.secondsSince1970
    }

    @Test func aDeliveredOrRefusedMessageEnds() {
        let sent = WebhookRetry.outcome(of: .delivered, failures: 11, at: Sample.time, entropy: 0)
        #expect(sent == .sent && sent.settlement == .ended)
        let refused = WebhookRetry.outcome(of: .refused, failures: 0, at: Sample.time, entropy: 0)
        #expect(refused == .givenUp && refused.settlement == .ended)
        let failed = WebhookRetry.outcome(of: .failed(retryAfter: 5), failures: 0, at: Sample.time, entropy: 0)
        #expect(failed.settlement == .retried(at: Sample.time.advanced(bySeconds: 5)))
    }

    @Test func waitsGrowAndEndAfterTwelveAttempts() {
        var longest: [Int64] = []
        for failures in 0..<WebhookRetry.attempts - 1 {
            // The longest of the waits for random numbers that are close to each other.
            let waits = (0..<1_000).compactMap { wait(nil, after: failures, entropy: UInt64($0) * 1_800_000_000) }
            #expect(waits.count == 1_000 && waits.allSatisfy { (1...900).contains($0) })
            longest.append(waits.max() ?? 0)
        }
        #expect(longest == longest.sorted())
        #expect(longest.last ?? 0 > 800)
        #expect(wait(nil, after: WebhookRetry.attempts - 1) == nil)
        // A damaged row ends, too.
        #expect(wait(nil, after: .max) == nil)
        #expect(wait(nil, after: .min) == 1)
    }

    @Test func theReceiverMayAskForAWaitOfAtMostAnHour() {
        #expect(wait(1_800) == 1_800)
        #expect(wait(.max) == 3_600)
        #expect(wait(-5) == 1)
        #expect(wait(0) == 1)
    }
}
