import ChatServerCore
import ChatWire
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("Clients above the limit are refused, and known ones continue")
    func clients() {
        var limits = ServerLimits()
        limits.clients = 2
        let world = ServerWorld(limits: limits)
        world.join("a", on: ConnectionID(1))
        world.join("b", on: ConnectionID(2))
        #expect(world.register("c", on: ConnectionID(3)) == nil)
        #expect(world.effects.failure(to: ConnectionID(3)) == ErrorAnswer("server.full"))
        #expect(world.effects.closes(ConnectionID(3)) == .full)
        #expect(world.send("x", uuid: "u").receipt() != nil)
    }

    @Test("Connections above the limit are closed")
    func connections() {
        var limits = ServerLimits()
        limits.connections = 1
        let world = ServerWorld(limits: limits)
        world.handle(.connected(ConnectionID(1), token: nil))
        #expect(world.handle(.connected(ConnectionID(2), token: nil)) == [.close(ConnectionID(2), .full)])
        world.handle(.disconnected(ConnectionID(1)))
        #expect(world.handle(.connected(ConnectionID(3), token: nil)).isEmpty)
    }

    @Test("A new device replaces the oldest")
    func devices() throws {
        var limits = ServerLimits()
        limits.devicesPerClient = 2
        let world = ServerWorld(limits: limits)
        let addresses = (1...3).compactMap { world.register(on: ConnectionID($0)) }
        #expect(addresses.count == 3)
        #expect(world.kept.devices.map(\.address) == Array(addresses.suffix(2)))
    }

    @Test("Invalid client ids are refused", arguments: ["", String(repeating: "x", count: 257)])
    func clientID(_ clientID: String) {
        let world = ServerWorld()
        #expect(world.register(clientID) == nil)
        #expect(world.effects.failure() == ErrorAnswer("client.invalid"))
        #expect(world.kept == ServerSnapshot())
    }

    @Test("Too many status changes at once are refused as a whole")
    func statuses() {
        var limits = ServerLimits()
        limits.statusChanges = 2
        let world = ServerWorld(limits: limits)
        world.join()
        let changes = (0..<3).map { StatusChange(messageID: "\($0)", status: .read) }
        let effects = world.receive(.updateStatuses(changes, deviceAddress: nil), on: ConnectionID(1))
        #expect(effects.failure() == ErrorAnswer("statuses.too-many"))
    }

    @Test("An overloaded bot skips messages")
    func bot() {
        var limits = ServerLimits()
        limits.botSteps = 3
        let world = ServerWorld(bot: BotSettings(), limits: limits)
        world.join()
        world.send("one", uuid: "u1")
        #expect(world.send("two", uuid: "u2").notes == [.botOverloaded])
        let texts = world.runToRest().pushes().compactMap(\.content.text)
        #expect(texts == ["You wrote: one"])
    }

    @Test("A client's oldest messages are removed when they exceed the byte limit")
    func bytesOfOne() {
        var limits = ServerLimits()
        limits.bytesPerClient = 10_000
        let world = ServerWorld(limits: limits)
        world.join()
        for number in 1...10 { world.send(String(repeating: "x", count: 3_000), uuid: "u\(number)") }
        let kept = world.kept.messages.map(\.uuid)
        #expect(kept == ["u9", "u10"])
        #expect(world.history().map(\.uuid) == kept)
        // Changes count as well.
        world.act(.edits(message: "u10", text: String(repeating: "ä", count: 4_000)))
        #expect(world.kept.messages.map(\.uuid) == ["u10"])
    }

    @Test("A client that floods the server only loses its own messages")
    func bytesOfAll() {
        var limits = ServerLimits()
        limits.messageBytes = 20_000
        let world = ServerWorld(limits: limits)
        world.join("alice", on: ConnectionID(1))
        world.join("bob", on: ConnectionID(2))
        world.send("Keep me", uuid: "a1")
        for number in 1...20 {
            world.send(String(repeating: "x", count: 3_000), uuid: "b\(number)", on: ConnectionID(2))
        }
        world.send("Me too", uuid: "a2")
        let kept = world.kept.messages
        #expect(kept.contains { $0.uuid == "a1" } && kept.contains { $0.uuid == "a2" })
        #expect(kept.contains { $0.uuid == "b20" } && !kept.contains { $0.uuid == "b10" })
    }
}
