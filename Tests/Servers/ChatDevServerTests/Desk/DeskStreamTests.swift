import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastTransport
import Testing

@testable import ChatDevServer

@Suite("The desk's stream", .timeLimit(.minutes(1)))
struct DeskStreamTests {
    private func position(_ client: DeskClient, _ path: String = "/desk/conversations/alice") async throws -> String {
        try #require(DeskClient.meta("desk-position", in: try await client.page(path)))
    }

    private func ids(_ events: [DeskClient.Event], _ kind: String = "message") -> [String] {
        events.filter { $0.kind == kind }.compactMap { $0.data["id"]?.stringValue }
    }

    @Test("Two desks see the same, and each sees the other")
    func twoDesks() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let ben = try await DeskClient(subject, as: "Ben")
            let socket = try await subject.join("alice")
            try await socket.say("one", uuid: "u1")
            let start = try await position(ada)
            let bensStart = try await position(ben)
            #expect(start == bensStart)
            // The row is the last event of a change.
            let hasTwo: ([DeskClient.Event]) -> Bool = { events in
                events.contains { $0.kind == "conversation" && $0.html.contains("<bdi class=\"preview\">two</bdi>") }
            }
            var bens: [DeskClient.Event] = []
            let adas = try await ada.follow(after: start, until: hasTwo) {
                bens = try await ben.follow(after: bensStart, until: hasTwo) {
                    #expect(try await ada.reply("one more", id: "r1").status == 303)
                    try await socket.say("two", uuid: "u2")
                }
            }
            #expect(!ids(adas).isEmpty)
            #expect(ids(adas) == ids(bens))
            #expect(adas.compactMap(\.id) == bens.compactMap(\.id))
            #expect(adas.contains { $0.kind == "present" && $0.html.contains("<bdi>Ben</bdi>") })
            #expect(bens.contains { $0.kind == "present" && $0.html.contains("<bdi>Ada</bdi>") })
            #expect(bens.contains { $0.kind == "conversation" && $0.html.contains("data-state=\"waiting\"") })
            // Each sees who answers.
            #expect(bens.contains { $0.data["head"]?.stringValue?.contains("assigned to <bdi>Ada</bdi>") == true })
            #expect(adas.contains { $0.data["head"]?.stringValue?.contains("assigned to you") == true })
        }
    }

    @Test("A desk that was away continues without a gap", arguments: [true, false])
    func resume(byHeader: Bool) async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            let start = try await position(ada)
            let first = try await ada.follow(
                after: start, until: { events in events.contains { $0.html.contains(">one</div>") } },
                whenOpen: { try await socket.say("one", uuid: "u1") })
            let last = try #require(first.compactMap(\.id).last)
            for number in 2...5 { try await socket.say("message \(number)", uuid: "u\(number)") }
            let name = try #require(HTTPField.Name("Last-Event-ID"))
            let isComplete: ([DeskClient.Event]) -> Bool = { events in
                events.contains { $0.html.contains(">message 6</div>") }
            }
            let rest = try await ada.follow(
                after: byHeader ? start : last, headers: byHeader ? [name: last] : [:], until: isComplete,
                whenOpen: { try await socket.say("message 6", uuid: "u6") })
            let texts = rest.filter { $0.kind == "message" }.map(\.html)
            for number in 2...6 {
                #expect(texts.count { $0.contains(">message \(number)</div>") } == 1, "\(number)")
            }
            #expect(!texts.contains { $0.contains(">one</div>") })
            let numbers = rest.compactMap(\.id).compactMap { DeskPosition($0)?.number }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test("An unknown position makes the page reload", arguments: ["0-0", "deadbeef-5"])
    func reset(position: String) async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            _ = try await subject.join("alice")
            let events = try await ada.follow(after: position, until: { !$0.isEmpty })
            #expect(events.first?.kind == "reset")
            #expect(events.first?.id.flatMap { DeskPosition($0) } != nil)
        }
    }

    @Test("A silent stream shows that the server is alive")
    func beat() async throws {
        try await DeskClient.serving({
            $0.deskStream.beat = .milliseconds(5)
        }) { subject in
            let ada = try await DeskClient(subject)
            let events = try await ada.follow(
                client: nil, after: try await position(ada, "/desk"),
                until: { events in events.count { $0.kind == "beat" } >= 3 })
            #expect(events.last?.data["now"]?.integerValue ?? 0 > 0)
            // A beat has no number of its own.
            #expect(events.allSatisfy { $0.id == nil })
        }
    }

    @Test("The client's typing and other conversations' rows are shown, other conversations' messages are not")
    func others() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let alice = try await subject.join("alice")
            let bob = try await subject.join("bob")
            let events = try await ada.follow(
                after: try await position(ada), until: { events in events.contains { $0.kind == "typing" } },
                whenOpen: {
                    try await bob.say("A text of bob", uuid: "b1")
                    try await alice.ask(
                        .sendMessage(
                            Content(.typing(draft: "Hel", operatorName: nil)), deviceAddress: alice.deviceAddress))
                })
            #expect(events.last?.data["draft"]?.stringValue == "Hel")
            let row = try #require(events.last { $0.kind == "conversation" })
            #expect(row.data["client"]?.stringValue == "bob")
            #expect(row.html.contains("A text of bob"))
            #expect(!events.contains { $0.kind == "message" && $0.html.contains("A text of bob") })
        }
    }
}
