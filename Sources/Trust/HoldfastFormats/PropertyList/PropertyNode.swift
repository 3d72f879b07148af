public import HoldfastTrust

/// A value of a property list, of JSON that stands for one, or of a dictionary in memory; with its place, if it has one.
///
/// TrustKit's configuration and `NSPinnedDomains` are read from it. ``PolicyFormats/read(_:as:named:options:)`` makes it
/// from bytes; a program that holds its configuration in memory makes one itself, and hands it to
/// ``PolicyFormats/read(propertyList:as:named:)``.
public struct PropertyNode: Hashable, Sendable {
    /// What it is.
    public indirect enum Value: Hashable, Sendable {
        case string(String)
        case bool(Bool)
        case integer(Int64)
        /// A number that is no integer, as it is written.
        case real(String)
        case date(Timestamp)
        case data([UInt8])
        /// JSON's `null`; property lists have none.
        case null
        case array([PropertyNode])
        /// The members in the order of the file. A key that occurs twice counts as its first occurrence; the readers of this
        /// module refuse files in which one does.
        case dictionary([Member])
    }

    /// One member of a dictionary.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// Where the key stands; `nil` where there is no file.
        public var position: SourcePosition?
        /// The value.
        public var value: PropertyNode

        /// Makes a member.
        public init(key: String, position: SourcePosition? = nil, value: PropertyNode) {
            self.key = key
            self.position = position
            self.value = value
        }
    }

    /// What it is.
    public var value: Value
    /// Where it stands; `nil` where there is no file.
    public var position: SourcePosition?

    /// Makes a value.
    public init(_ value: Value, position: SourcePosition? = nil) {
        self.value = value
        self.position = position
    }
}

extension PropertyNode {
    /// What it is, in words.
    var kind: String {
        switch value {
        case .string: "a string"
        case .bool: "a boolean"
        case .integer, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .null: "null"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    /// The members, if it is a dictionary.
    var members: [Member]? {
        if case .dictionary(let members) = value { members } else { nil }
    }

    /// The member with this key, if it is a dictionary that has one.
    subscript(_ key: String) -> Member? { members?.first { $0.key == key } }

    /// Equal in all but the places and the order of members.
    func isSame(as other: PropertyNode) -> Bool {
        switch (value, other.value) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary(let left), .dictionary(let right)):
            let theirs = Dictionary(right.map { ($0.key, $0.value) }) { first, _ in first }
            return left.count == right.count
                && left.allSatisfy { member in theirs[member.key].map { member.value.isSame(as: $0) } ?? false }
        default: return value == other.value
        }
    }

    /// Takes JSON for a property list.
    init(_ json: JSONNode) {
        let value: Value =
            switch json.value {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .number(let text): Int64(text).map { .integer($0) } ?? .real(text)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { PropertyNode($0) })
            case .object(let members):
                .dictionary(
                    members.map { Member(key: $0.key, position: $0.position, value: PropertyNode($0.value)) })
            }
        self.init(value, position: json.position)
    }
}

extension PropertyNode.Value {
    /// A dictionary in this order; `nil` values are left out.
    static func fields(_ pairs: [(String, PropertyNode.Value?)]) -> PropertyNode.Value {
        .dictionary(
            pairs.compactMap { key, value in
                value.map { PropertyNode.Member(key: key, value: PropertyNode($0)) }
            })
    }

    /// An array of values.
    static func list(_ values: [PropertyNode.Value]) -> PropertyNode.Value { .array(values.map { PropertyNode($0) }) }
}
