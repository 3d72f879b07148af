extension CanonicalHost {
    /// Whether the address or the reserved name of the host belongs to this machine or a local network. An address from
    /// a certificate or a server must not lead to such a host unintentionally.
    ///
    /// True for:
    ///
    /// - addresses that are not globally reachable, according to the IANA registries for special-purpose addresses:
    ///   loopback, unspecified, private, link-local, shared, benchmarking, documentation, reserved and multicast
    /// - IPv6 addresses that contain such an IPv4 address (mapped, compatible, NAT64, 6to4), or tunnel to one that
    ///   cannot be read (Teredo)
    /// - the names `localhost` (RFC 6761), `local` (RFC 6762), `home.arpa` (RFC 8375) and `internal`, and all names
    ///   below them
    ///
    /// Other names may still resolve to local addresses, so code that connects must also check the addresses.
    package var isLocal: Bool {
        switch kind {
        case .name:
            ["localhost", "local", "home.arpa", "internal"].contains { text == $0 || text.hasSuffix("." + $0) }
        case .ipv4(let bytes): CanonicalHost.isLocal(ipv4: bytes[...])
        case .ipv6(let bytes): CanonicalHost.isLocal(ipv6: bytes[...])
        }
    }

    private static func isLocal(ipv4 bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        guard bytes.count == 4 else { return true }
        let (first, second, third) = (bytes[start], bytes[start + 1], bytes[start + 2])
        switch (first, second) {
        case (0, _), (10, _), (127, _), (224...255, _): return true
        case (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19): return true
        // The protocol assignments of RFC 6890. 192.0.0.9 and .10 are anycast addresses of the local network too.
        case (192, 0): return third == 0 || third == 2
        // Documentation (RFC 5737), like 192.0.2.0/24 above.
        case (198, 51): return third == 100
        case (203, 0): return third == 113
        default: return false
        }
    }

    private static func isLocal(ipv6 bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 16 else { return true }
        let address = Array(bytes)
        let last = address[12...]
        // ::/96 contains the unspecified address, the loopback address and IPv4-compatible addresses.
        if address[..<12].allSatisfy({ $0 == 0 }) {
            return last.dropLast().allSatisfy { $0 == 0 } || isLocal(ipv4: last)
        }
        if address[..<10].allSatisfy({ $0 == 0 }), address[10] == 0xFF, address[11] == 0xFF {
            return isLocal(ipv4: last)
        }
        switch (address[0], address[1]) {
        // 64:ff9b::/96 (RFC 6052), and 64:ff9b:1::/48 for local use (RFC 8215).
        case (0x00, 0x64) where address[2] == 0xFF && address[3] == 0x9B:
            return address[4..<12].allSatisfy { $0 == 0 } ? isLocal(ipv4: last) : true
        // 100::/64, the discard prefix.
        case (0x01, 0x00): return address[2..<8].allSatisfy { $0 == 0 }
        // 6to4 (RFC 3056).
        case (0x20, 0x02): return isLocal(ipv4: address[2..<6])
        // Teredo (RFC 4380), and documentation (RFC 3849).
        case (0x20, 0x01): return address[2] == 0 && address[3] == 0 || address[2] == 0x0D && address[3] == 0xB8
        // Documentation (RFC 9637).
        case (0x3F, 0xFF): return address[2] < 0x10
        // Unique local, link-local and site-local addresses, and multicast.
        case (0xFC...0xFD, _), (0xFE, 0x80...0xFF), (0xFF, _): return true
        default: return false
        }
    }
}
