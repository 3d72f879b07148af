import ChatWire

/// The devices of all clients: installations of the app, each with an address that the server assigned.
struct DeviceRegistry: Hashable, Sendable {
    /// The client of each address. Only for lookup, never iterated.
    private var owners: [String: String] = [:]
    /// The addresses of each client, oldest first. Only for lookup, never iterated.
    private var addresses: [String: [String]] = [:]
    /// The maximum number of devices per client.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the client of a device, or `nil` for an unknown address.
    func owner(of address: String) -> String? { owners[address] }

    /// Returns the number of a client's devices.
    func count(of clientID: String) -> Int { addresses[clientID]?.count ?? 0 }

    /// Adds a stored device.
    mutating func restore(_ device: DeviceRecord) {
        addresses[device.clientID, default: []].append(device.address)
        owners[device.address] = device.clientID
    }

    /// Returns the address for a registering device: the given one if it belongs to this client, otherwise a new one.
    /// Another client's address is never returned. If there are too many devices, the oldest are removed.
    mutating func adopt(_ registration: DeviceRegistration, _ turn: inout ServerTurn) -> String {
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

    /// Removes a device. Its sockets must register again.
    mutating func forget(_ address: String, _ turn: inout ServerTurn) {
        if let owner = owners.removeValue(forKey: address) { addresses[owner]?.removeAll { $0 == address } }
        turn.write(.deviceRemoved(address: address))
    }
}

/// One installation of a client's app.
package struct DeviceRecord: Hashable, Sendable {
    /// The address that the server assigned. It authenticates the device.
    package var address: String
    package var clientID: String
    package var pushToken: String?

    package init(address: String, clientID: String, pushToken: String? = nil) {
        self.address = address
        self.clientID = clientID
        self.pushToken = pushToken
    }
}
