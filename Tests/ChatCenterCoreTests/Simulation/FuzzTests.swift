import ChatCenterCore
import ChatWire
import Testing

/// Random lives under a seed. A failing seed is in the message of the failure; `World(seed:)` repeats it.
@Suite struct FuzzTests {
    static let seeds: Range<UInt64> = 0..<200
    static let steps = 200

    @Test func invariantsHoldInRandomLives() {
        var seen = World.Seen()
        for seed in Self.seeds {
            var world = World(seed: seed)
            world.run(steps: Self.steps)
            for complaint in world.complaints { Issue.record("seed \(seed): \(complaint)") }
            seen = seen + world.seen
        }
        // The lives were eventful enough to prove something.
        #expect(seen.breaksOnTheWay > 30, "\(seen)")
        #expect(seen.crashes > 200, "\(seen)")
        #expect(seen.arrived > 1000, "\(seen)")
        #expect(seen.failed > 40, "\(seen)")
    }

    @Test func theSameSeedGivesTheSameTrace() {
        for seed in Self.seeds.prefix(20) {
            var first = World(seed: seed)
            first.run(steps: Self.steps)
            var second = World(seed: seed)
            second.run(steps: Self.steps)
            #expect(first.chat.effects == second.chat.effects)
            #expect(first.chat.core == second.chat.core)
        }
    }

    /// `handle` is total: any event at any moment, however absurd.
    @Test func absurdEventsAreSurvived() {
        for seed in Self.seeds.prefix(50) {
            var random = SeededNumbers(seed: seed)
            var core = ChatCore(
                settings: ChatSettings(
                    providerUID: "", unreadMessageCountDelay: .max, connectionTimeout: .max, sendTimeout: .min,
                    queuedMaximumAge: .max))
            for _ in 0..<200 {
                let now = Moment(monotonic: random.extreme(), wall: random.extreme())
                _ = core.handle(Absurd.event(&random), at: now, entropy: random.next())
                _ = core.nextWake
                _ = core.screen.messages
            }
        }
    }
}
