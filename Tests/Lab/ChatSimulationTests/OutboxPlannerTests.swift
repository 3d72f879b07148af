import ChatCenterCore
import ChatWire
import Testing

/// Tests the outbox alone with all short sequences of events, and with longer random ones. A letter stands for what the
/// network does to a message.
@Suite struct OutboxPlannerTests {
    /// Returns all words of this length.
    static let length = 4

    @Test func everyShortLife() async {
        let steps = OutboxWorld.Step.allCases
        let count = (0..<Self.length).reduce(1) { product, _ in product * steps.count }
        for number in 0..<count {
            var rest = number
            let life = (0..<Self.length).map { _ -> OutboxWorld.Step in
                defer { rest /= steps.count }
                return steps[rest % steps.count]
            }
            await check([.send, .send] + life)
        }
    }

    @Test func longLives() async {
        let steps = OutboxWorld.Step.allCases
        var state: UInt64 = 1
        for _ in 0..<200 {
            await check(
                (0..<40).map { _ in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return steps[Int((state >> 33) % UInt64(steps.count))]
                })
        }
    }

    private func check(_ life: [OutboxWorld.Step]) async {
        // Yields, because other tests share the few threads.
        await Task.yield()
        var world = OutboxWorld()
        for step in life { world.live(step) }
        world.comeToRest()
        #expect(world.complaints.isEmpty, "\(life)")
        let expected = world.sent.filter { !world.refused.contains($0) }
        #expect(world.accepted == expected, "\(life)")
        for id in world.sent {
            let state = world.core.screen.messages.first { $0.id.text == id }?.author
            if world.refused.contains(id) {
                #expect(state == .me(.failed(.refused(ServerRefusal(code: "NO")))), "\(id) of \(life)")
            } else {
                #expect(state == .me(.sent), "\(id) of \(life)")
            }
        }
    }
}
