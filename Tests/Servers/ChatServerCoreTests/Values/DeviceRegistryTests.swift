import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Device registry")
struct DeviceRegistryTests {
    private func turn(_ entropy: UInt64 = 1) -> ServerTurn {
        ServerTurn(now: ServerMoment(monotonic: 0, wall: 0), identifiers: IdentifierSource(entropy: entropy))
    }

    private func writes(_ turn: inout ServerTurn) -> [ServerWrite] {
        for case .commit(let writes) in turn.finished({ effects, _ in effects }) { return writes }
        return []
    }

    @Test("A saved address is kept, but another client's address is not returned")
    func saved() {
        var registry = DeviceRegistry(limit: 4)
        registry.restore(DeviceRecord(address: "a", clientID: "alice"))
        var turn = turn()
        #expect(registry.adopt(DeviceRegistration(clientID: "alice", deviceAddress: "a"), &turn) == "a")
        let other = registry.adopt(DeviceRegistration(clientID: "bob", deviceAddress: "a"), &turn)
        #expect(other != "a")
        #expect(registry.owner(of: "a") == "alice")
        #expect(registry.owner(of: other) == "bob")
        #expect(
            writes(&turn) == [
                .device(DeviceRecord(address: "a", clientID: "alice")),
                .device(DeviceRecord(address: other, clientID: "bob")),
            ])
    }

    @Test("The oldest device is replaced")
    func limit() {
        var registry = DeviceRegistry(limit: 1)
        var turn = turn()
        let first = registry.adopt(DeviceRegistration(clientID: "alice"), &turn)
        let second = registry.adopt(DeviceRegistration(clientID: "alice"), &turn)
        #expect(registry.count(of: "alice") == 1)
        #expect(registry.owner(of: first) == nil)
        #expect(registry.owner(of: second) == "alice")
        #expect(writes(&turn).last == .deviceRemoved(address: first))
    }

    @Test("A removed device has no owner")
    func forget() {
        var registry = DeviceRegistry(limit: 4)
        registry.restore(DeviceRecord(address: "a", clientID: "alice"))
        var turn = turn()
        registry.forget("a", &turn)
        #expect(registry.owner(of: "a") == nil)
        #expect(registry.count(of: "alice") == 0)
        #expect(writes(&turn) == [.deviceRemoved(address: "a")])
    }
}
