/// The keys of domains in a ``PrefixSet``: the bytes from the last to the first in lower case, and a full stop. The key
/// of `www.example.com` then begins with that of `example.com`, and that of `myexample.com` does not.
enum DomainKey {
    /// The key of ASCII bytes; empty for none, which is the start of every key.
    static func key(of bytes: [UInt8], in range: Range<Int>) -> String {
        guard !range.isEmpty else { return "" }
        var reversed: [UInt8] = []
        reversed.reserveCapacity(range.count + 1)
        var index = range.upperBound - 1
        while index >= range.lowerBound {
            reversed.append(DNSName.lower(bytes[index]))
            index -= 1
        }
        reversed.append(0x2E)
        return String(decoding: reversed, as: UTF8.self)
    }

    /// The key of the domain one label up; `nil` for a single label.
    static func parent(of key: String) -> String? {
        let labels = key.utf8.dropLast()
        guard let dot = labels.lastIndex(of: 0x2E) else { return nil }
        return String(key[...dot])
    }
}
