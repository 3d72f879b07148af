import HoldfastTestSupport
import HoldfastWebSocket
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests that a session has the same outcome for every segmentation: all segmentations of short sessions, and every
/// split of sessions recorded from another implementation.
@Suite struct EverySegmentationTests {
    /// The outcome of a session: whole messages, even if delivered in parts, and all other effects in order.
    private struct Outcome: Hashable {
        var messages: [WebSocketPart] = []
        var others: [MachineEffect] = []

        init(_ effects: [MachineEffect]) {
            var current: WebSocketPart?
            for effect in effects {
                switch effect {
                case .deliver(.text(let text)):
                    messages.append(WebSocketPart(kind: .text, bytes: Array(text.utf8), isLast: true))
                case .deliver(.binary(let bytes)):
                    messages.append(WebSocketPart(kind: .binary, bytes: bytes, isLast: true))
                case .deliverPart(let part):
                    var sum = current ?? WebSocketPart(kind: part.kind, bytes: [], isLast: true)
                    sum.bytes += part.bytes
                    if part.isLast { messages.append(sum) }
                    current = part.isLast ? nil : sum
                default:
                    others.append(effect)
                }
            }
        }
    }

    private func run(
        _ role: WebSocketRole, _ session: [UInt8], cutBehind cuts: (Int) -> Bool, _ settings: WebSocketSettings
    ) -> [MachineEffect] {
        var bench = MachineBench(role, settings)
        var start = 0
        for end in 1...session.count where end == session.count || cuts(end) {
            bench.receive(Array(session[start..<end]))
            start = end
        }
        return bench.effects
    }

    // MARK: All segmentations

    /// Sessions that are short enough to try all segmentations: two to the power of their length.
    static func shortSessions(_ wire: Wire) -> [[UInt8]] {
        let empty = wire.frame(Wire.text, [0x00], reserved: 4)
        return [
            wire.text("é") + [0x83],
            wire.frame(Wire.ping) + wire.frame(Wire.close),
            wire.text("", final: false) + wire.frame(Wire.continuation),
            wire.frame(Wire.text, [0xF4, 0x8F, 0xBF], final: false) + [0x80],
            wire.frame(Wire.text, [0xED, 0xA0]),
            empty + wire.frame(Wire.ping),
            wire.frame(Wire.binary, [0x4A, 0x04, 0x00], reserved: 4),
            wire.frame(Wire.binary, [0x07], reserved: 4),
            wire.frame(Wire.close, [0x03, 0xE9]) + [0xFF],
        ]
    }

    @Test(arguments: WebSocketRole.allCases, 0..<9)
    func everySegmentationOfAShortSessionHasTheSameOutcome(role: WebSocketRole, index: Int) {
        let session = Self.shortSessions(Wire(sender: role.peer))[index]
        #expect((2...13).contains(session.count))
        var settings = CompressedMessageTests.settings(context: index.isMultiple(of: 2))
        let whole = run(role, session, cutBehind: { _ in false }, settings)
        for inParts in [false, true] {
            settings.deliversParts = inParts
            for cuts in 0..<(1 << (session.count - 1)) {
                let effects = run(role, session, cutBehind: { cuts >> ($0 - 1) & 1 != 0 }, settings)
                guard inParts ? Outcome(effects) == Outcome(whole) : effects == whole else {
                    Issue.record("Splits \(String(cuts, radix: 2)): \(effects) differs from \(whole)")
                    return
                }
            }
        }
    }

    // MARK: Every split

    /// Sessions of another implementation, from the fuzz corpus. The first byte encodes the negotiated settings.
    static func recorded(_ role: WebSocketRole) throws -> [(name: String, settings: WebSocketSettings, bytes: [UInt8])]
    {
        let folder = Repository.path("Fuzz/Corpus/websocket-") + (role == .client ? "client" : "server")
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
            let flags = try #require(bytes.first)
            let small = WebSocketLimits(
                maximumFrameSize: 300, maximumMessageSize: 500, maximumFragments: 4, receiveBuffer: 200)
            let limits = flags & 4 == 0 ? WebSocketLimits() : small
            var settings = CompressedMessageTests.settings(context: flags & 2 != 0, limits: limits)
            if flags & 1 == 0 { settings.deflate = nil }
            return (name, settings, Array(bytes.dropFirst()))
        }
    }

    /// One split at each position, and byte by byte; with whole messages and with parts.
    @Test(arguments: WebSocketRole.allCases)
    func everySplitOfARecordedSessionHasTheSameOutcome(role: WebSocketRole) throws {
        let sessions = try Self.recorded(role)
        #expect(sessions.count >= 15)
        for (name, settings, session) in sessions {
            let whole = run(role, session, cutBehind: { _ in false }, settings)
            #expect(!whole.isEmpty, "\(name)")
            #expect(run(role, session, cutBehind: { _ in true }, settings) == whole, "\(name)")
            var partly = settings
            partly.deliversParts = true
            for cut in 1..<session.count {
                #expect(run(role, session, cutBehind: { $0 == cut }, settings) == whole, "\(name) at \(cut)")
            }
            let outcome = Outcome(whole)
            #expect(Outcome(run(role, session, cutBehind: { _ in true }, partly)) == outcome, "\(name)")
            for cut in 1..<session.count {
                let effects = run(role, session, cutBehind: { $0 == cut }, partly)
                #expect(Outcome(effects) == outcome, "\(name) at \(cut)")
            }
        }
    }

    /// Checks the content of the valid sessions of the other implementation.
    @Test(arguments: WebSocketRole.allCases)
    func decodesTheRecordedSessions(role: WebSocketRole) throws {
        let sessions = try Self.recorded(role)
        for kind in ["plain", "deflate", "context"] {
            let named = sessions.first { $0.name == "session-\(kind)" }
            let (_, settings, session) = try #require(named)
            var bench = MachineBench(role, settings)
            bench.receive(session)
            let text = "Grüße, κόσμε 😀 — "
            let long = WebSocketMessage.text(String(repeating: text, count: 6))
            #expect(bench.messages == [.text(text), .binary(Array(128...255)), .text(""), long, long])
            #expect(bench.pongs == [Array("are you there".utf8)])
            #expect(bench.ends.first?.closure.isClean == true && bench.ends.first?.closure.reason == "done")
        }
        let wrong = sessions.filter { $0.name.hasPrefix("wrong-") }
        #expect(wrong.count >= 10)
        for (name, settings, session) in wrong {
            var bench = MachineBench(role, settings)
            bench.receive(session)
            #expect(bench.messages == [.text("before")], "\(name)")
            #expect(bench.violation != nil, "\(name)")
        }
    }
}
