/// An IP address as a number.
struct AddressNumber: Hashable {
    var high: UInt64
    var low: UInt64
    var isIPv6: Bool

    /// Takes 4 or 16 bytes in network order; `nil` for any other count.
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
