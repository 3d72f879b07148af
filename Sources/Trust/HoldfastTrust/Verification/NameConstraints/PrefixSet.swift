import HoldfastBase

/// Subtrees by their keys: ASCII texts made so that one subtree lies in another if and only if its key begins with the
/// other's.
///
/// Whether a key begins with one of thousands is one binary search: of two keys of which one begins with the other only
/// the shorter is kept, and among such keys the greatest that is not greater than the one looked for is the only one
/// that it can begin with.
struct PrefixSet {
    private var keys: [String] = []

    init(_ unordered: [String]) {
        for key in unordered.sorted() {
            if let last = keys.last, key.hasPrefix(last) { continue }
            keys.append(key)
        }
    }

    /// Whether `key` is one of the set or goes on from one.
    func covers(_ key: String) -> Bool {
        let index = firstIndex { $0 > key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// Whether `key` goes on from one of the set.
    func coversBelow(_ key: String) -> Bool {
        let index = firstIndex { $0 >= key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// The place of the first key that fulfils a condition which, once fulfilled, stays so.
    private func firstIndex(where isBeyond: (String) -> Bool) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(keys[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

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

/// The keys of directory names in a ``PrefixSet``: one name lies in the subtree of another if its first relative names
/// are the other's (RFC 5280, 7.1), whatever the order of the attributes within each.
///
/// Two attributes are the same if they have the same type and are the same text (see ``AttributeText``), or the same bytes
/// where they are not text. Values are written in hexadecimal digits, so that nothing in them can end a part.
struct DirectoryKey {
    /// The key.
    private(set) var text = ""
    /// The key of the first relative names, up to the first one with an attribute that is not text: whether that one is
    /// another's cannot be told from bytes. All of ``text`` where every attribute is text.
    private(set) var decided = ""
    /// Whether every attribute is text, so that every comparison is decided.
    private(set) var isDecided = true

    /// Makes the key of a name.
    init(_ names: [[DistinguishedName.Attribute]]) {
        for attributes in names {
            let parts = attributes.map(DirectoryKey.part)
            text += (parts.count == 1 ? parts[0].text : parts.map(\.text).sorted().joined()) + "/"
            isDecided = isDecided && parts.allSatisfy(\.isDecided)
            if isDecided { decided = text }
        }
    }

    private static func part(_ attribute: DistinguishedName.Attribute) -> (text: String, isDecided: Bool) {
        var value: [UInt8] = []
        value.reserveCapacity(attribute.value.count)
        let isText = AttributeText.fold(attribute.value, tag: attribute.tag, into: &value)
        if !isText { value += attribute.value }
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * (attribute.type.count + value.count) + 5)
        attribute.type.appendHexadecimal(to: &digits)
        digits.append(UInt8(ascii: "="))
        CollectionOfOne(isText ? DERTag.utf8String : attribute.tag).appendHexadecimal(to: &digits)
        digits.append(UInt8(ascii: ":"))
        value.appendHexadecimal(to: &digits)
        digits.append(UInt8(ascii: ","))
        return (String(decoding: digits, as: UTF8.self), isText)
    }
}
