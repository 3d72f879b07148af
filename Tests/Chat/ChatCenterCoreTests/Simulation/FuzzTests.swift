import ChatCenterCore
import ChatWire
import Testing

/// Tests random events from a seed. ChatSimulationTests simulates whole lives of the core with its server.
@Suite struct FuzzTests {
    static let seeds: Range<UInt64> = 0..<50

    /// `handle` accepts any event at any time.
    @Test func extremeEventsAreSurvived() {
        for seed in Self.seeds {
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
