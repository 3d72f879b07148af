import BenchSupport
import ChatBenchSupport
import ChatCenter
import Foundation

/// Measures the network traffic of a short conversation: a new user writes six messages, and each is answered.
struct BytesMeasurement {
    private static let messages = 12

    private struct Visit: Sendable {
        var whole: Traffic.Counts
        var conversation: Traffic.Counts
    }

    let parameters: Parameters
    let folder: WorkFolder

    func run() async throws -> Chapter {
        var chapter = Chapter(.bytes)
        var (secure, plain) = ([Visit](), [Visit]())
        for round in 0..<parameters.rounds {
            secure.append(try await visit(isSecure: true, round))
            plain.append(try await visit(isSecure: false, round))
        }
        func kilobytes(_ visits: [Visit], _ part: (Visit) -> Int) -> [Double] {
            visits.map { Double(part($0)) / 1000 }
        }
        let all = "everything: configuration, history, \(Self.messages) messages, farewell"
        chapter.add("\(all): down", "kB", goal: 15, kilobytes(secure) { $0.whole.down })
        chapter.add("\(all): up", "kB", kilobytes(secure) { $0.whole.up })
        chapter.add("of that from ready on: down", "kB", kilobytes(secure) { $0.conversation.down })
        chapter.add("of that from ready on: up", "kB", kilobytes(secure) { $0.conversation.up })
        chapter.add("everything, without TLS: down", "kB", kilobytes(plain) { $0.whole.down })
        chapter.add("everything, without TLS: up", "kB", kilobytes(plain) { $0.whole.up })
        chapter.add("connections", "", secure.map { Double($0.whole.connections) })
        chapter.notes = ["1 kB is 1,000 bytes. TLS records count, headers of TCP and IP do not."]
        return chapter
    }

    private func visit(isSecure: Bool, _ round: Int) async throws -> Visit {
        let url = try folder.fresh()
        return try await BenchServer.with(isSecure: isSecure, hasBot: true) { server async throws -> Visit in
            try await Relay.with(to: server.site.port) { relay async throws -> Visit in
                var corpus = Corpus(seed: parameters.seed &+ UInt64(round))
                let sdk = try server.site.through(port: relay.port).sdk(url)
                // Without this, the SDK would be released after its last use and would stop.
                defer { withExtendedLifetime(sdk) {} }
                try await sdk.authorize(ChatUser(identifier: "talker", name: "Tara"))
                let screen = try sdk.getChat()
                screen.viewDidAppear()
                try await screen.wait(for: "a connection") { $0.connection == .ready }
                let before = relay.traffic.counts
                for _ in 0..<Self.messages / 2 {
                    let text = corpus.message()
                    try await screen.send(text)
                    try await screen.wait(for: "an answer") { $0.messages.last?.text == "You wrote: \(text)" }
                }
                screen.viewDidDisappear()
                try await screen.wait(for: "the end of the connection") { state in
                    if case .closed = state.connection { true } else { false }
                }
                // The closing handshake and events about the last message may still be in flight.
                var (last, now) = (Traffic.Counts(), relay.traffic.counts)
                while last.up != now.up || last.down != now.down {
                    try await Task.sleep(for: .milliseconds(200))
                    (last, now) = (now, relay.traffic.counts)
                }
                return Visit(whole: now, conversation: now - before)
            }
        }
    }
}
