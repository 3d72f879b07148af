import ChatServerCore
import ChatWire
import Testing

@Suite("Determinism")
struct DeterminismTests {
    /// Runs a conversation of two clients with the bot, restarts and faults.
    private func trace(entropy: UInt64) -> ([ServerEffect], ChatServerCore) {
        let world = ServerWorld(bot: BotSettings())
        world.entropy = entropy
        world.join("alice", on: ConnectionID(1))
        world.join("bob", on: ConnectionID(2))
        for number in 0..<20 {
            world.send("message \(number)", uuid: "a\(number)", on: ConnectionID(1))
            world.send("message \(number)", uuid: "b\(number)", on: ConnectionID(2))
            if number == 10 { world.handle(.faultsPlanned([.lose(action: "sendMessage"), .repeatPush])) }
            world.advance(milliseconds: 300)
            world.handle(.woke)
        }
        world.handle(.operatorActed(.says("To all"), clientID: nil))
        _ = world.runToRest()
        return (world.effects, world.core)
    }

    @Test("The same events produce the same effects and the same state")
    func sameTrace() {
        let (first, firstCore) = trace(entropy: 7)
        let (second, secondCore) = trace(entropy: 7)
        #expect(first == second)
        #expect(firstCore == secondCore)
        #expect(first != trace(entropy: 8).0)
    }

    @Test("Message ids and addresses are unique")
    func uniqueNames() {
        let (effects, _) = trace(entropy: 7)
        let ids = effects.commits.compactMap { if case .message(let message) = $0 { message.messageID } else { nil } }
        #expect(ids.count > 50)
        #expect(Set(ids).count == ids.count)
    }
}
