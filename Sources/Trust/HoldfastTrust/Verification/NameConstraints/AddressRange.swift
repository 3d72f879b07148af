/// An IP address with a mask, as in name constraints (RFC 5280, 4.2.1.10).
struct AddressRange: Hashable {
    private let base: AddressNumber
    private let mask: AddressNumber

    /// Creates a range from the bytes of an address and of a mask. Returns `nil` unless there are 8 or 32 bytes and the
    /// mask consists of ones followed by zeros, as in RFC 4632.
    init?(_ bytes: ArraySlice<UInt8>) {
        let half = bytes.count / 2
        guard bytes.count == 2 * half, let base = AddressNumber(bytes.prefix(half)),
            let mask = AddressNumber(bytes.suffix(half)), AddressRange.isContiguous(bytes.suffix(half))
        else { return nil }
        self.mask = mask
        self.base = base
    }

    /// Returns whether an address lies in the range. An IPv4 range contains no IPv6 address, and vice versa.
    func contains(_ address: AddressNumber) -> Bool {
        address.isIPv6 == base.isIPv6 && (address.low ^ base.low) & mask.low == 0
            && (address.high ^ base.high) & mask.high == 0
    }

    private static func isContiguous(_ mask: ArraySlice<UInt8>) -> Bool {
        let firstOther = mask.drop { $0 == 0xFF }
        guard let byte = firstOther.first else { return true }
        // Ones followed by zeros are the complement of a power of two minus one.
        return ~byte & (~byte &+ 1) == 0 && firstOther.dropFirst().allSatisfy { $0 == 0 }
    }
}

/// An IP address as a number.
struct AddressNumber: Hashable {
    var high: UInt64
    var low: UInt64
    var isIPv6: Bool

    /// Creates a number from 4 or 16 bytes in network byte order. Returns `nil` for any other count.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        isIPv6 = bytes.count == 16
        (high, low) = (0, 0)
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
    }
}
