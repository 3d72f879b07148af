import Testing

@testable import ChatServerCore

@Suite("Connection table")
struct ConnectionTableTests {
    @Test("A socket becomes fresh, registered and ready")
    func phases() {
        var table = ConnectionTable()
        let id = ConnectionID(1)
        table.open(id, token: "t", deadline: 30)
        #expect(table.nextDeadline == 30)
        #expect(table.late(at: 29).isEmpty)
        #expect(table.late(at: 30) == [id])

        table.register(id, clientID: "alice", deviceAddress: "a", apiVersion: 20)
        #expect(table.nextDeadline == nil)
        #expect(table.late(at: .max).isEmpty)
        #expect(table.ready(of: "alice").isEmpty)

        table.completeHandshake(of: id)
        #expect(table.ready(of: "alice") == [id])
        #expect(table[id]?.apiVersion == 20)
        #expect(table.remove(id)?.token == "t")
        #expect(table.remove(id) == nil)
        #expect(table.count == 0)
    }

    @Test("Sockets can be found by client and by device, in the order of their opening")
    func queries() {
        var table = ConnectionTable()
        for (number, client) in [(3, "alice"), (1, "bob"), (2, "alice")] as [(UInt64, String)] {
            table.open(ConnectionID(number), token: nil, deadline: 30)
            table.register(ConnectionID(number), clientID: client, deviceAddress: "of \(client)", apiVersion: 17)
        }
        table.completeHandshake(of: ConnectionID(2))
        table.completeHandshake(of: ConnectionID(1))
        #expect(table.ids == [3, 1, 2].map { ConnectionID($0) })
        #expect(table.ids(of: "alice") == [3, 2].map { ConnectionID($0) })
        #expect(table.ids(ofDevice: "of bob") == [ConnectionID(1)])
        #expect(table.ready() == [1, 2].map { ConnectionID($0) })
        #expect(table.ready(of: "alice") == [ConnectionID(2)])
    }
}
