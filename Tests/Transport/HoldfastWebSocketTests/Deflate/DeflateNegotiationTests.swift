import HoldfastWebSocket
import Testing

/// Tests the negotiation of permessage-deflate (RFC 7692, 5 and 7.1).
@Suite struct DeflateNegotiationTests {
    private func answer(
        _ offers: [String], _ options: WebSocketDeflate? = WebSocketDeflate()
    ) -> (text: String, agreement: DeflateAgreement)? {
        ExtensionOffer.list(offers).flatMap { DeflateNegotiation.answer($0, options: options) }
    }

    private let sharing = WebSocketDeflate(sendingContextTakeover: true, receivingContextTakeover: true)

    @Test func clientSendsOneOffer() {
        #expect(
            DeflateNegotiation.offer(WebSocketDeflate())
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover; client_max_window_bits")
        #expect(DeflateNegotiation.offer(sharing) == "permessage-deflate; client_max_window_bits")
        #expect(
            DeflateNegotiation.offer(WebSocketDeflate(sendingWindowBits: 10, receivingWindowBits: 11))
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
                + "; server_max_window_bits=11; client_max_window_bits=10")
    }

    @Test func serverWithoutCompressionGrantsNone() {
        #expect(answer(["permessage-deflate"], nil) == nil)
        #expect(answer([]) == nil)
        #expect(answer(["x-webkit-deflate-frame, permessage-bzip2"]) == nil)
    }

    @Test func contextTakeoverRequiresBothEnds() throws {
        let refused = try #require(answer(["permessage-deflate"]))
        #expect(refused.text == "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
        #expect(!refused.agreement.sendingContextTakeover && !refused.agreement.receivingContextTakeover)
        let granted = try #require(answer(["permessage-deflate"], sharing))
        #expect(granted.text == "permessage-deflate")
        #expect(granted.agreement.sendingContextTakeover && granted.agreement.receivingContextTakeover)
        let half = try #require(answer(["permessage-deflate; server_no_context_takeover"], sharing))
        #expect(half.text == "permessage-deflate; server_no_context_takeover")
        #expect(!half.agreement.sendingContextTakeover && half.agreement.receivingContextTakeover)
        let other = try #require(answer(["permessage-deflate; client_no_context_takeover"], sharing))
        #expect(other.text == "permessage-deflate; client_no_context_takeover")
        #expect(other.agreement.sendingContextTakeover && !other.agreement.receivingContextTakeover)
    }

    @Test func usesTheSmallerWindow() throws {
        let small = try #require(
            answer(["permessage-deflate; server_max_window_bits=10; client_max_window_bits=12"], sharing))
        #expect(small.text == "permessage-deflate; server_max_window_bits=10; client_max_window_bits=12")
        #expect(small.agreement.sendingWindowBits == 10 && small.agreement.receivingWindowBits == 12)
        let own = WebSocketDeflate(
            sendingContextTakeover: true, receivingContextTakeover: true, sendingWindowBits: 9, receivingWindowBits: 11)
        let smaller = try #require(
            answer(["permessage-deflate; server_max_window_bits=10; client_max_window_bits"], own))
        #expect(smaller.text == "permessage-deflate; server_max_window_bits=9; client_max_window_bits=11")
        // A client that does not name the parameter does not support it, so the response omits it.
        let unaware = try #require(answer(["permessage-deflate"], own))
        #expect(unaware.text == "permessage-deflate; server_max_window_bits=9")
        #expect(unaware.agreement.receivingWindowBits == 15)
        // A quoted number is accepted.
        let quoted = try #require(answer(["permessage-deflate; server_max_window_bits=\"1\\0\""], sharing))
        #expect(quoted.agreement.sendingWindowBits == 10)
        let least = try #require(
            answer(["permessage-deflate; server_max_window_bits=8; client_max_window_bits=8"], sharing))
        #expect(least.text == "permessage-deflate; server_max_window_bits=8; client_max_window_bits=8")
    }

    static let badParameters = [
        "server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16", "server_max_window_bits=09",
        "server_max_window_bits=+9", "server_max_window_bits=9.0", "server_max_window_bits=99999999999999999999",
        "client_max_window_bits=7", "client_max_window_bits=16", "client_max_window_bits=0x9",
        "client_max_window_bits=x",
        "server_no_context_takeover=1", "client_no_context_takeover=true",
        "server_no_context_takeover; server_no_context_takeover", "client_max_window_bits; client_max_window_bits=10",
        "client_max_window_bits=9; client_max_window_bits=9", "unknown", "unknown=1", "Server_no_context_takeover",
    ]

    @Test(arguments: badParameters)
    func ignoresInvalidOffers(parameters: String) throws {
        #expect(answer(["permessage-deflate; \(parameters)"]) == nil)
        // The next valid offer is accepted, on the same line or another one.
        let next = "permessage-deflate; server_max_window_bits=12"
        let together = try #require(answer(["permessage-deflate; \(parameters), \(next)"], sharing))
        #expect(together.text == next)
        let apart = try #require(answer(["foo; a=b", "permessage-deflate;\(parameters)", next], sharing))
        #expect(apart.text == next)
    }

    static let malformed = [
        ";", "a;", "a;;b", "a=b", "a; b=", "a; =b", "a; b=\"", "a; b=\"c", "a; b=\"\"", "a; b=\"c d\"", "a; b=c d",
        "a b", "\"a\"",
        "a; b=\"c\\", "a/b", "ä", "a; b=\"c\"d", "permessage-deflate; server_max_window_bits=\"10",
    ]

    @Test(arguments: malformed)
    func refusesMalformedFields(value: String) {
        #expect(ExtensionOffer.list([value]) == nil)
        #expect(ExtensionOffer.list(["fine", value]) == nil)
        #expect(throws: DeflateNegotiation.Objection.self) {
            try DeflateNegotiation.accept([value], offered: WebSocketDeflate())
        }
    }

    @Test func allowsWhitespaceAndEmptyElements() {
        #expect(ExtensionOffer.list(["", " , ,"]) == [])
        let spaced = ExtensionOffer.list([" a ; b = c ;\td ,, e"])
        #expect(spaced?.map(\.name) == ["a", "e"])
        #expect(spaced?.first?.parameters.map(\.name) == ["b", "d"])
        #expect(spaced?.first?.parameters.map(\.value) == ["c", nil])
    }

    @Test func clientAcceptsAValidAnswer() throws {
        let offered = WebSocketDeflate(
            sendingContextTakeover: true, receivingContextTakeover: true, receivingWindowBits: 12)
        #expect(try DeflateNegotiation.accept([], offered: offered) == nil)
        let plain = try #require(
            try DeflateNegotiation.accept(["permessage-deflate; server_max_window_bits=12"], offered: offered))
        #expect(plain.sendingContextTakeover && plain.receivingContextTakeover)
        #expect(plain.sendingWindowBits == 15 && plain.receivingWindowBits == 12)
        let less = try #require(
            try DeflateNegotiation.accept(
                [
                    "permessage-deflate; server_max_window_bits=9; client_max_window_bits=8; client_no_context_takeover"
                        + "; server_no_context_takeover"
                ], offered: offered))
        #expect(!less.sendingContextTakeover && !less.receivingContextTakeover)
        #expect(less.sendingWindowBits == 8 && less.receivingWindowBits == 9)
    }

    static let badAnswers = [
        "permessage-deflate, permessage-deflate", "permessage-bzip2", "permessage-deflate, foo",
        "permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=13",
        "permessage-deflate; server_max_window_bits", "permessage-deflate",
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=13",
        "permessage-deflate; server_no_context_takeover", "permessage-deflate; server_max_window_bits=12",
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=12; unknown",
    ]

    @Test(arguments: badAnswers)
    func clientRefusesAnInvalidAnswer(answer: String) {
        // Requested: no context takeover by the server, and windows of 12 bits in both directions.
        let offered = WebSocketDeflate(sendingWindowBits: 12, receivingWindowBits: 12)
        #expect(throws: DeflateNegotiation.Objection.self) {
            try DeflateNegotiation.accept([answer], offered: offered)
        }
        #expect(throws: DeflateNegotiation.Objection.self) {
            try DeflateNegotiation.accept([answer], offered: nil)
        }
    }

    @Test func acceptsAStricterLimitThanOffered() throws {
        let agreement = try DeflateNegotiation.accept(
            ["permessage-deflate; server_max_window_bits=10; server_no_context_takeover"], offered: WebSocketDeflate())
        #expect(agreement?.receivingWindowBits == 10)
    }

    @Test func clampsOptions() {
        var options = WebSocketDeflate(
            sendingWindowBits: 99, receivingWindowBits: -1, level: 0, minimumSize: -5, maximumRatio: 0)
        #expect(
            options
                == WebSocketDeflate(
                    sendingWindowBits: 15, receivingWindowBits: 8, level: 1, minimumSize: 1, maximumRatio: 1))
        options.sendingWindowBits = 77
        options.level = 1000
        #expect(DeflateAgreement(options).sendingWindowBits == 15)
        #expect(DeflateAgreement(options).level == 9)
    }
}
