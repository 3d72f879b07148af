package import ChatCenterCore
import HoldfastSystem

/// The active network interfaces of this device, with their addresses.
package struct InterfaceList: Hashable, Sendable {
    /// One address of an interface.
    package struct Address: Hashable, Sendable, Comparable {
        package var interface: String
        /// The address in the format of the system's `getnameinfo`.
        package var address: String

        package static func < (left: Address, right: Address) -> Bool {
            (left.interface, left.address) < (right.interface, right.address)
        }
    }

    /// The addresses, sorted, without loopback and link-local addresses, which reach no network.
    package var addresses: [Address]

    package init(addresses: [Address]) {
        self.addresses = addresses.filter { !$0.address.hasPrefix("fe80:") && !$0.address.hasPrefix("169.254.") }
            .sorted()
    }

    /// The network path that consists of these interfaces.
    package var path: NetworkPath {
        NetworkPath(
            identity: addresses.map { "\($0.interface)=\($0.address)" }.joined(separator: " "),
            hasRoute: !addresses.isEmpty)
    }

    /// Returns the current interfaces. If the system call fails, the list is not empty, because this is only a hint and
    /// must not prevent connection attempts.
    package static var current: InterfaceList {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else {
            return InterfaceList(addresses: [Address(interface: "unknown", address: "unknown")])
        }
        defer { freeifaddrs(list) }
        var addresses: [Address] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            // Up and running, and not loopback. The flags have the same values on all systems.
            let isUp = entry.ifa_flags & 0x1 != 0 && entry.ifa_flags & 0x40 != 0
            guard isUp, entry.ifa_flags & 0x8 == 0, let address = entry.ifa_addr, let text = text(of: address) else {
                continue
            }
            addresses.append(Address(interface: String(cString: entry.ifa_name), address: text))
        }
        return InterfaceList(addresses: addresses)
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let length: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, socklen_t(length), &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
