public import HoldfastTrust

/// A value from a property list, from JSON with the same structure, or from a dictionary in memory, with its position
/// in the file if there is one.
///
/// TrustKit's configuration and `NSPinnedDomains` are read from it. ``PolicyFormats/read(_:as:named:options:)`` creates
/// it from bytes. A program that has its configuration in memory creates it and passes it to
/// ``PolicyFormats/read(propertyList:as:named:)``.
public struct PropertyNode: Hashable, Sendable {
    /// The kinds of values.
    public indirect enum Value: Hashable, Sendable {
        case string(String)
        case bool(Bool)
        case integer(Int64)
        /// A non-integer number as written in the file.
        case real(String)
        case date(Timestamp)
        case data([UInt8])
        /// JSON's `null`, which property lists do not have.
        case null
        case array([PropertyNode])
        /// The members in the order of the file. If a key occurs twice, lookups return the first occurrence; the
        /// readers of this module refuse such files.
        case dictionary([Member])
    }

    /// A member of a dictionary.
    public struct Member: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The position of the key, or `nil` if the value was not read from a file.
        public var position: SourcePosition?
        /// The value.
        public var value: PropertyNode

        /// Creates a member.
        public init(key: String, position: SourcePosition? = nil, value: PropertyNode) {
            self.key = key
            self.position = position
            self.value = value
        }
    }

    /// The value.
    public var value: Value
    /// The position of the value, or `nil` if it was not read from a file.
    public var position: SourcePosition?

    /// Creates a node from a value.
    public init(_ value: Value, position: SourcePosition? = nil) {
        self.value = value
        self.position = position
    }

    /// The kind of the value in words, for messages.
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

    /// The members, or `nil` if the value is not a dictionary.
    var members: [Member]? {
        if case .dictionary(let members) = value { members } else { nil }
    }

    /// Returns the member with the given key, or `nil` if the value is not a dictionary or does not have the key.
    subscript(_ key: String) -> Member? { members?.first { $0.key == key } }

    /// Returns whether two nodes are equal, ignoring positions and the order of members.
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

    /// Creates a node from JSON.
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
    /// Returns a dictionary with members in the given order. `nil` values are omitted.
    static func fields(_ pairs: [(String, PropertyNode.Value?)]) -> PropertyNode.Value {
        .dictionary(
            pairs.compactMap { key, value in
                value.map { PropertyNode.Member(key: key, value: PropertyNode($0)) }
            })
    }

    /// Returns an array of values.
    static func list(_ values: [PropertyNode.Value]) -> PropertyNode.Value { .array(values.map { PropertyNode($0) }) }
}
