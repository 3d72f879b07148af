import HTTPTypes
import HoldfastTrust
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Webhook")
struct WebhookTests {
    private static let second: Int64 = 1_000_000_000

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

    private func message(_ id: String) -> WebhookQueue.Message { WebhookQueue.Message(id: id, body: [1]) }

    @Test func aDeliveredMessageLeavesTheQueue() {
        var queue = WebhookQueue()
        #expect(queue.add(message("a"), at: 0) == true)
        #expect(queue.due(at: 0)?.id == "a")
        #expect(queue.attempted("a", .delivered, at: 0, entropy: 0) == .sent)
        #expect(queue.due(at: .max) == nil)
    }

    @Test func waitsGrowAndEndAfterTwelveAttempts() throws {
        var queue = WebhookQueue()
        #expect(queue.add(message("a"), at: 0) == true)
        var now: Int64 = 0
        for _ in 1..<WebhookQueue.attempts {
            #expect(queue.due(at: now) != nil)
            // The largest random number gives nearly the longest wait.
            #expect(queue.attempted("a", .failed(retryAfter: nil), at: now, entropy: .max) == .retried)
            #expect(queue.due(at: now) == nil)
            now += 900 * Self.second
            #expect(queue.due(at: now) != nil)
        }
        #expect(queue.attempted("a", .failed(retryAfter: nil), at: now, entropy: 0) == .givenUp)
        #expect(queue.count == 0)
    }

    @Test func atLeastASecondPassesBetweenAttempts() {
        var queue = WebhookQueue()
        #expect(queue.add(message("a"), at: 0) == true)
        _ = queue.attempted("a", .failed(retryAfter: nil), at: 0, entropy: 0)
        #expect(queue.due(at: Self.second - 1) == nil)
        #expect(queue.due(at: Self.second) != nil)
    }

    @Test func theReceiverMayAskForAWaitOfAtMostAnHour() {
        var queue = WebhookQueue()
        #expect(queue.add(message("a"), at: 0) == true)
        _ = queue.attempted("a", .failed(retryAfter: 1_800), at: 0, entropy: 0)
        #expect(queue.due(at: 1_800 * Self.second - 1) == nil)
        #expect(queue.due(at: 1_800 * Self.second) != nil)
        _ = queue.attempted("a", .failed(retryAfter: .max), at: 0, entropy: 0)
        #expect(queue.due(at: 3_600 * Self.second) != nil)
    }

    @Test func aWaitingMessageDoesNotDelayOthers() {
        var queue = WebhookQueue()
        #expect(queue.add(message("a"), at: 0) == true)
        #expect(queue.add(message("b"), at: 0) == true)
        _ = queue.attempted("a", .failed(retryAfter: 60), at: 0, entropy: 0)
        #expect(queue.due(at: 1)?.id == "b")
        #expect(queue.attempted("b", .refused, at: 1, entropy: 0) == .givenUp)
        #expect(queue.due(at: 60 * Self.second)?.id == "a")
    }

    @Test func theQueueIsBounded() {
        var queue = WebhookQueue()
        for number in 0..<WebhookQueue.limit { #expect(queue.add(message("\(number)"), at: 0) == true) }
        #expect(queue.add(message("more"), at: 0) == false)
        #expect(queue.count == WebhookQueue.limit)
    }

    // MARK: Changes

    private func incident(
        _ id: Int64, _ state: IncidentState, first: Int64 = 10, last: Int64 = 20, count: Int64 = 1
    ) -> IncidentSummary {
        IncidentSummary(
            id: id, key: IncidentKey(app: "a", host: "example.com", result: 1), state: state,
            firstSeen: Sample.time.advanced(bySeconds: first), lastSeen: Sample.time.advanced(bySeconds: last),
            count: count, clients: 1, isExact: true)
    }

    @Test func anIncidentIsToldAboutOnceWhenItBeginsAndWhenItComesBack() {
        var watch = IncidentWatch(start: Sample.time)
        #expect(watch.observe([incident(1, .new)]).map(\.change) == [.began])
        #expect(watch.observe([incident(1, .new, last: 30)]).isEmpty)
        #expect(watch.observe([incident(1, .acknowledged)]).isEmpty)
        #expect(watch.observe([incident(1, .resolved)]).isEmpty)
        #expect(watch.observe([incident(1, .cameBack, last: 40)]).map(\.change) == [.cameBack])
        #expect(watch.observe([incident(1, .cameBack, last: 50)]).isEmpty)
        #expect(watch.newest == Sample.time.advanced(bySeconds: 50))
    }

    @Test func earlierIncidentsAreNotToldAbout() {
        var watch = IncidentWatch(start: Sample.time)
        #expect(watch.observe([incident(1, .new, first: -10), incident(2, .cameBack, last: -1)]).isEmpty)
        #expect(watch.observe([incident(3, .acknowledged)]).isEmpty)
        // One that was resolved before the start, and came back after it.
        #expect(watch.observe([incident(4, .cameBack, first: -100, last: 5)]).map(\.change) == [.cameBack])
    }

    @Test func collectorsGiveAMessageTheSameName() {
        var (one, other) = (IncidentWatch(start: Sample.time), IncidentWatch(start: Sample.time))
        let names = [one.observe([incident(1, .new, last: 20)]), other.observe([incident(1, .new, last: 25)])]
        #expect(names[0].map(\.id) == names[1].map(\.id))
    }

    @Test func theNumberOfRememberedIncidentsIsBounded() {
        var watch = IncidentWatch(start: Sample.time)
        let limit = Int64(watch.limit)
        #expect(watch.observe((1...limit).map { incident($0, .new) }).count == watch.limit)
        #expect(watch.observe([incident(limit + 1, .new)]).count == 1)
        // The newest ones are still remembered.
        #expect(watch.observe([incident(limit, .new)]).isEmpty)
        #expect(IncidentWatch(start: Sample.time, incidents: 50_000).limit == 100_000)
    }

    /// A flood of new incidents exceeds the places of the queue. The earlier rule remembered all of them, and dropped
    /// the messages without a place for good.
    @Test func aFloodOfNewIncidentsLosesNoNotice() {
        var watch = IncidentWatch(start: Sample.time)
        let forged = (1...600).map { incident(Int64($0), .new, first: Int64($0), last: Int64($0)) }
        let real = incident(601, .new, first: 700, last: 700, count: 5)
        let first = watch.observe(forged + [real], room: 256)
        #expect(first.count == 256)
        // Forged incidents do not hide one with more reports.
        #expect(first.first?.incident.id == 601)
        #expect(watch.deferred == 345)
        var told = Set(first.map(\.incident.id))
        // The next looks begin at the time of the first change without a message.
        #expect(watch.newest < Sample.time.advanced(bySeconds: 600))
        #expect(watch.observe(forged + [real], room: 0).isEmpty)
        for _ in 0..<2 {
            let since = watch.newest
            let next = watch.observe((forged + [real]).filter { $0.lastSeen >= since }, room: 256)
            for notice in next { #expect(told.insert(notice.incident.id).inserted == true) }
        }
        #expect(told == Set((1...601).map { Int64($0) }))
        #expect(watch.deferred == 0)
        #expect(watch.newest == Sample.time.advanced(bySeconds: 700))
    }

    /// New forged incidents with more reports arrive with every look. A half of the room goes to the earliest changes.
    @Test func anIncidentWithOneReportIsToldAboutDuringAFlood() {
        var watch = IncidentWatch(start: Sample.time)
        let real = incident(1, .new, first: 1, last: 1)
        var isTold = false
        for look in 0..<20 where !isTold {
            let forged = (0..<50).map { number in
                let id = Int64(2 + look * 50 + number)
                return incident(id, .new, first: 2 + Int64(look), last: 2 + Int64(look), count: 9)
            }
            isTold = watch.observe([real] + forged, room: 10).contains { $0.incident.id == 1 }
        }
        #expect(isTold)
    }

    /// A look that could not read all pages is made again from the same time.
    @Test func anIncompleteLookIsRepeated() {
        var watch = IncidentWatch(start: Sample.time)
        #expect(watch.observe([incident(1, .new)], isComplete: false).count == 1)
        #expect(watch.newest == Sample.time)
        #expect(watch.observe([incident(1, .new), incident(2, .new)]).map(\.incident.id) == [2])
        #expect(watch.newest == Sample.time.advanced(bySeconds: 20))
    }
}
