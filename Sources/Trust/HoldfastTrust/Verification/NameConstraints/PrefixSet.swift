import HoldfastBase

/// A set of subtrees, represented by ASCII keys. A subtree lies in another one if and only if its key starts with the
/// other's key.
///
/// One binary search decides whether a key starts with one of thousands of keys. If a key of the set starts with
/// another one, only the shorter is kept. The greatest key of the set that is not greater than the searched key is then
/// the only possible prefix.
struct PrefixSet {
    private var keys: [String] = []

    init(_ unordered: [String]) {
        for key in unordered.sorted() {
            if let last = keys.last, key.hasPrefix(last) { continue }
            keys.append(key)
        }
    }

    /// Returns whether `key` is in the set or starts with a key of the set.
    func covers(_ key: String) -> Bool {
        let index = firstIndex { $0 > key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// Returns whether `key` is longer than a key of the set and starts with it.
    func coversBelow(_ key: String) -> Bool {
        let index = firstIndex { $0 >= key }
        return index > 0 && key.hasPrefix(keys[index - 1])
    }

    /// Returns the index of the first key for which a condition holds. The condition must hold for all later keys as
    /// well.
    private func firstIndex(where isBeyond: (String) -> Bool) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(keys[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Keys of domains in a ``PrefixSet``: the bytes in reverse order and in lowercase, followed by a full stop.
///
/// The key of `www.example.com` starts with the key of `example.com`, but the key of `myexample.com` does not.
enum DomainKey {
    /// Returns the key of ASCII bytes. No bytes give an empty key, which is a prefix of every key.
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

    /// Returns the key of the parent domain, or `nil` for a single label.
    static func parent(of key: String) -> String? {
        let labels = key.utf8.dropLast()
        guard let dot = labels.lastIndex(of: 0x2E) else { return nil }
        return String(key[...dot])
    }
}

/// Keys of directory names in a ``PrefixSet``. A name lies in the subtree of another one if it starts with the same
/// relative names (RFC 5280, 7.1), regardless of the order of attributes within each.
///
/// Two attributes are equal if they have the same type and the same text (see ``AttributeText``), or the same bytes if
/// they are not text. Values are written as hexadecimal digits, so that they cannot contain a separator.
struct DirectoryKey {
    /// The key of the whole name.
    private(set) var text = ""
    /// The key of the relative names before the first one with an attribute that is not text, because bytes cannot be
    /// compared reliably. Equal to ``text`` if every attribute is text.
    private(set) var decided = ""
    /// Whether every attribute is text, so that every comparison has a definite result.
    private(set) var isDecided = true

    /// Creates the key of a name.
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
