/// DNS names as they stand in certificates: ASCII bytes.
enum DNSName {
    /// ASCII lower case.
    static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether the bytes are labels of letters, digits, hyphens and underscores, none empty, no trailing dot.
    static func isPlausible(_ name: some Collection<UInt8>) -> Bool {
        guard !name.isEmpty, name.count <= 253 else { return false }
        var length = 0
        for byte in name {
            switch byte {
            case UInt8(ascii: "."):
                guard length > 0 else { return false }
                length = 0
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"):
                length += 1
                guard length <= 63 else { return false }
            default: return false
            }
        }
        return length > 0
    }

    /// Whether `name` is `base` or, one or more labels longer, lies below it. Both in lower case; the empty base
    /// covers all.
    static func isInSubtree(_ name: [UInt8], of base: [UInt8]) -> Bool {
        if base.isEmpty { return true }
        return name.count == base.count ? name == base : isBelow(name, base)
    }

    /// Whether `name` lies below `base` by one or more labels. The cheap comparisons come first: with thousands of
    /// constraints and names this is called hundreds of thousands of times.
    static func isBelow(_ name: [UInt8], _ base: [UInt8]) -> Bool {
        let offset = name.count - base.count
        guard offset > 1, name[offset - 1] == UInt8(ascii: ".") else { return false }
        var index = base.count - 1
        while index >= 0 {
            guard name[offset + index] == base[index] else { return false }
            index -= 1
        }
        return true
    }

    /// Whether a DNS name of a certificate is for `host` (canonical, in lower case): RFC 9525, 6.3. The wildcard must be
    /// the whole first label, covers exactly one label, and needs two labels after it.
    static func matches(presented: ArraySlice<UInt8>, host: [UInt8]) -> Bool {
        let name = presented.map(lower)
        guard name.starts(with: Array("*.".utf8)) else {
            return isPlausible(name) && name.elementsEqual(host)
        }
        let parent = Array(name.dropFirst(2))
        guard isPlausible(parent), parent.contains(UInt8(ascii: ".")), isBelow(host, parent) else { return false }
        return !host.dropLast(parent.count + 1).contains(UInt8(ascii: "."))
    }
}
