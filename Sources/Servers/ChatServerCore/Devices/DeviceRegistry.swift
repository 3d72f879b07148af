import HoldfastBase
import ChatWire

/// The devices of all clients: installations of the app, each with an address that the server made.
struct DeviceRegistry: Hashable, Sendable {
    /// The client of each address. Looked up, never iterated.
    private var owners: [String: String] = [:]
    /// The addresses of each client, oldest first. Looked up, never iterated.
    private var addresses: [String: [String]] = [:]
    /// The largest number of devices of one client.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The client of a device, or `nil` for an unknown address.
    func owner(of address: String) -> String? { owners[address] }

    /// The number of a client's devices.
    func count(of clientID: String) -> Int { addresses[clientID]?.count ?? 0 }

    /// Adds a device that the store has kept.
    mutating func restore(_ device: DeviceRecord) {
        addresses[device.clientID, default: []].append(device.address)
        owners[device.address] = device.clientID
    }

    /// Returns the address of the device that registers: the saved one if it is this client's, otherwise a new one. An
    /// address of another client is never handed over. The oldest devices give way to a new one.
    mutating func adopt(_ registration: DeviceRegistration, _ turn: inout Update) -> String {
        let clientID = registration.clientID
        let isKnown = registration.deviceAddress.map { owners[$0] == clientID } ?? false
        let address = (isKnown ? registration.deviceAddress : nil) ?? turn.identifiers.hexadecimal()
        let device = DeviceRecord(address: address, clientID: clientID, pushToken: registration.pushToken)
        turn.write(.device(device))
        guard !isKnown else { return address }
        restore(device)
        while let known = addresses[clientID], known.count > limit { forget(known[0], &turn) }
        return address
    }

    /// Forgets a device. Its sockets, if there are any, have to register anew.
    mutating func forget(_ address: String, _ turn: inout Update) {
        if let owner = owners.removeValue(forKey: address) { addresses[owner]?.removeAll { $0 == address } }
        turn.write(.deviceRemoved(address: address))
    }
}
