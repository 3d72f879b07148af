import ChatCenterCore
import ChatWire
import Testing

/// Tests the table of reactions to failures.
@Suite struct FailureDispositionTests {
    static let kinds: [(TransportFailure.Kind, FailureDisposition)] = [
        (.noConnectivity, .transient), (.unreachable, .transient), (.timedOut, .transient), (.trust, .permanent),
        (.tlsHandshake, .transient), (.upgradeRefused, .permanent), (.refused, .permanent),
        (.malformedAnswer, .transient), (.file, .permanent), (.cancelled, .permanent), (.other, .transient),
    ]

    @Test func everyKindIsInTheTable() {
        #expect(Self.kinds.map(\.0) == TransportFailure.Kind.allCases)
        for (kind, disposition) in Self.kinds {
            #expect(TransportFailure(kind).disposition == disposition, "\(kind)")
        }
    }

    @Test(
        "the status decides the disposition, with or without an error body",
        arguments: [
            (400, FailureDisposition.permanent), (401, .authorization), (403, .permanent), (404, .permanent),
            (408, .transient), (409, .permanent), (410, .permanent), (413, .permanent), (415, .permanent),
            (422, .permanent), (425, .transient), (429, .transient), (500, .transient), (501, .transient),
            (502, .transient), (503, .transient), (504, .transient), (520, .transient), (599, .transient),
        ])
    func statuses(_ status: Int, _ disposition: FailureDisposition) {
        for kind in [TransportFailure.Kind.refused, .upgradeRefused] {
            #expect(TransportFailure(kind, status: status).disposition == disposition)
            let worded = TransportFailure(kind, status: status, refusal: ServerRefusal(code: "SOMETHING"))
            #expect(worded.disposition == disposition)
        }
    }

    @Test("the protocol's own codes")
    func codes() {
        for code in ["file.restricted.type", "file.restricted.size", "file.not-found", "PROVIDER_UNKNOWN", ""] {
            #expect(ServerRefusal(code: code).disposition == .permanent)
            #expect(TransportFailure(.refused, refusal: ServerRefusal(code: code)).disposition == .permanent)
        }
        for details in [nil, "expired", "invalid", "?"] {
            let refusal = ServerRefusal(code: "UNAUTHORIZED", details: details)
            #expect(refusal.disposition == .authorization)
            #expect(TransportFailure(.refused, status: 403, refusal: refusal).disposition == .authorization)
        }
    }

    @Test func failuresThatCloseASocket() {
        let refusal = ServerRefusal(code: "UNAUTHORIZED")
        let table: [(DisconnectCause, FailureDisposition)] = [
            (.linkDead, .transient), (.handshakeTimeout(.upgrade), .transient),
            (.handshakeTimeout(.registerDevice), .transient), (.handshakeTimeout(.clientInfo), .transient),
            (.refused(.registerDevice, ServerRefusal(code: "NO")), .permanent),
            (.refused(.clientInfo, refusal), .authorization),
            (.transport(TransportFailure(.unreachable)), .transient),
            (.transport(TransportFailure(.upgradeRefused, status: 401)), .authorization),
            (.transport(TransportFailure(.upgradeRefused, status: 503)), .transient),
            (.transport(TransportFailure(.trust)), .permanent),
            (.closedByServer(code: nil, reason: "", retryAfterMilliseconds: nil), .transient),
            (.closedByServer(code: 1000, reason: "", retryAfterMilliseconds: nil), .transient),
            (.closedByServer(code: 1012, reason: "", retryAfterMilliseconds: nil), .transient),
            (.closedByServer(code: 1013, reason: "", retryAfterMilliseconds: nil), .transient),
            (.closedByServer(code: 4000, reason: "", retryAfterMilliseconds: nil), .permanent),
            (.closedByServer(code: 4401, reason: "", retryAfterMilliseconds: nil), .authorization),
        ]
        for (cause, disposition) in table { #expect(cause.disposition == disposition, "\(cause)") }
    }

    // MARK: The table at work

    @Test("a temporary configuration failure is retried while the screen is visible")
    func configuration() {
        for (status, again) in [(500, true), (503, true), (429, true), (404, false), (403, false)] {
            var chat = Chat()
            chat.server.configurationStatus = status
            chat.authorize()
            chat.open()
            #expect(chat.screen.input.blocked == .notConfigured)
            chat.server.configurationStatus = nil
            chat.advance(milliseconds: 10_000)
            #expect((chat.screen.input.blocked == nil) == again, "\(status)")
            chat.handle(.reload)
            #expect(chat.screen.input.blocked == nil, "the user can always retry")
        }
    }

    @Test func aFailingConfigurationIsRequestedLessOften() {
        var chat = Chat()
        chat.server.configurationStatus = 500
        chat.authorize()
        chat.open()
        chat.forgetEffects()
        chat.advance(milliseconds: 600_000)
        let calls = chat.networkCommands.count {
            if case .call(_, let call) = $0, case .configuration = call.request { true } else { false }
        }
        #expect((5...200).contains(calls))
        chat.close()
        chat.advance(milliseconds: 120_000)
        #expect(chat.core.nextWake == nil, "the screen is closed")
    }
}
