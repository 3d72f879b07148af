import ChatServerCore
import ChatWire
import Testing

@Suite("Limits")
struct LimitTests {
    @Test("A client too many is told so, and the known ones go on")
    func clients() {
        var limits = ServerLimits()
        limits.clients = 2
        let world = ServerWorld(limits: limits)
        world.join("a", on: ConnectionID(1))
        world.join("b", on: ConnectionID(2))
        #expect(world.register("c", on: ConnectionID(3)) == nil)
        #expect(world.effects.failure(to: ConnectionID(3)) == WireFailure("server.full"))
        #expect(world.effects.closes(ConnectionID(3)) == .full)
        #expect(world.send("x", uuid: "u").receipt() != nil)
    }

    @Test("A connection too many is closed")
    func connections() {
        var limits = ServerLimits()
        limits.connections = 1
        let world = ServerWorld(limits: limits)
        world.handle(.connected(ConnectionID(1), token: nil))
        #expect(world.handle(.connected(ConnectionID(2), token: nil)) == [.close(ConnectionID(2), .full)])
        world.handle(.disconnected(ConnectionID(1)))
        #expect(world.handle(.connected(ConnectionID(3), token: nil)).isEmpty)
    }

    @Test("The oldest device gives way to a new one")
    func devices() throws {
        var limits = ServerLimits()
        limits.devicesPerClient = 2
        let world = ServerWorld(limits: limits)
        let addresses = (1...3).compactMap { world.register(on: ConnectionID($0)) }
        #expect(addresses.count == 3)
        #expect(world.kept.devices.map(\.address) == Array(addresses.suffix(2)))
    }

    @Test("A client id must be a client id", arguments: ["", String(repeating: "x", count: 257)])
    func clientID(_ clientID: String) {
        let world = ServerWorld()
        #expect(world.register(clientID) == nil)
        #expect(world.effects.failure() == WireFailure("client.invalid"))
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
        #expect(effects.failure() == WireFailure("statuses.too-many"))
    }

    @Test("A bot with too much to do lets messages pass")
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
}
