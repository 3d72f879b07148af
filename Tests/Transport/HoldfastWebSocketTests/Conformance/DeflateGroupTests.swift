import HoldfastTestSupport
import HoldfastWebSocket
import Synchronization
import Testing

/// Reimplements groups 12 and 13 of the Autobahn conformance suite: compressed messages of every size under every
/// negotiated agreement.
@Suite struct DeflateGroupTests {
    /// A client's offer and the server's settings.
    struct Terms: Sendable, CustomTestStringConvertible {
        var offer: String
        var server = WebSocketDeflate(minimumSize: 1)
        var testDescription: String { "\(offer) / \(server.sendingContextTakeover)" }
    }

    static let terms: [Terms] = {
        let sharing = WebSocketDeflate(sendingContextTakeover: true, receivingContextTakeover: true, minimumSize: 1)
        let offers = [
            "permessage-deflate", "permessage-deflate; client_max_window_bits",
            "permessage-deflate; server_no_context_takeover", "permessage-deflate; client_no_context_takeover",
            "permessage-deflate; server_max_window_bits=9; client_max_window_bits=9",
            "permessage-deflate; server_max_window_bits=15; client_max_window_bits=15",
            "permessage-deflate; server_no_context_takeover; server_max_window_bits=9; client_max_window_bits",
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=15",
            "permessage-deflate; server_max_window_bits=8; client_max_window_bits=8",
            "permessage-deflate; x=1, permessage-deflate; server_max_window_bits=10; client_max_window_bits=11",
        ]
        return offers.flatMap { [Terms(offer: $0), Terms(offer: $0, server: sharing)] }
    }()

    /// The sizes of the messages and of their fragments.
    static let sizes: [(size: Int, fragment: Int?)] = [
        (16, nil), (64, nil), (256, nil), (1024, nil), (8192, 256), (32_768, nil), (65_536, 1024), (131_072, 32_768),
    ]

    /// Returns repetitive text like JSON.
    static func text(_ size: Int, _ generator: inout SeededGenerator) -> String {
        var text = ""
        while text.utf8.count < size {
            text += "{\"id\":\(generator.next() % 100_000),\"name\":\"user\",\"ok\":true},"
        }
        return String(decoding: Array(text.utf8).prefix(size), as: UTF8.self)
    }

    private static let longText: [UInt8] = {
        var generator = SeededGenerator(seed: 12)
        return Array(text(140_000, &generator).utf8)
    }()

    private static let noise: [UInt8] = {
        var generator = SeededGenerator(seed: 13)
        return (0..<17_500).map { _ in generator.next() }.withUnsafeBytes { Array($0) }
    }()

    /// Returns two similar texts with noise between them.
    private static func messages(_ size: Int) -> [WebSocketMessage] {
        [
            .text(String(decoding: longText[..<size], as: UTF8.self)), .binary(Array(noise[..<size])),
            .text(String(decoding: longText[100...].prefix(size), as: UTF8.self)),
        ]
    }

    @Test(arguments: WebSocketRole.allCases, terms)
    func echoesMessagesOfEverySizeUnderEveryAgreement(role: WebSocketRole, terms: Terms) throws {
        let offers = try #require(ExtensionOffer.list([terms.offer]))
        let server = try #require(DeflateNegotiation.answer(offers, options: terms.server))
        // The client's settings follow from the server's answer.
        let wanted = WebSocketDeflate(
            sendingContextTakeover: true, receivingContextTakeover: !terms.offer.contains("server_no_context"),
            minimumSize: 1)
        var client = DeflateAgreement(wanted)
        client.sendingContextTakeover = server.agreement.receivingContextTakeover
        client.receivingContextTakeover = server.agreement.sendingContextTakeover
        client.sendingWindowBits = server.agreement.receivingWindowBits
        client.receivingWindowBits = server.agreement.sendingWindowBits
        let own = role == .server ? server.agreement : client
        let peers = role == .server ? client : server.agreement

        for (size, fragment) in Self.sizes {
            let settings = WebSocketSettings(fragmentSize: fragment, deflate: own)
            var session = EchoSession(role, settings, peer: WebSocketSettings(deflate: peers))
            var sender = WebSocketMachine(
                role: role.peer, settings: WebSocketSettings(fragmentSize: fragment, deflate: peers),
                at: WebSocketInstant(nanoseconds: 0))
            let keys = Mutex(SeededGenerator(seed: 3))
            var encoder = FrameEncoder(role: role.peer, entropy: WebSocketEntropy { keys.withLock { $0.next() } })
            for message in Self.messages(size) {
                let frames = try sender.send(message) ?? []
                session.receive(frames.flatMap { encoder.encode($0) }, inPiecesOf: 4096)
            }
            let expected = Self.messages(size).map { message -> EchoSession.Answer in
                switch message {
                case .text(let text): .text(text)
                case .binary(let bytes): .binary(bytes)
                }
            }
            #expect(session.answers == expected)
        }
    }
}
