import OrderedCollections

/// The members of a JSON object in their original order. If a key is repeated, the last value is used.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private var members: OrderedDictionary<String, JSONValue> = [:]

    /// Creates an empty object.
    package init() {}

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (key, value) in elements { members[key] = value }
    }

    package subscript(key: String) -> JSONValue? {
        get { members[key] }
        set { members[key] = newValue }
    }

    /// The keys in order.
    package var keys: [String] { Array(members.keys) }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }

    /// Calls `body` for each member in order.
    package func forEach<Failure: Error>(_ body: (String, JSONValue) throws(Failure) -> Void) throws(Failure) {
        for index in members.elements.indices {
            let element = members.elements[index]
            try body(element.key, element.value)
        }
    }

    /// Appends the members of `other`. An existing member keeps its value unless that is `null`. Objects and arrays
    /// that exist in both are merged, existing content first.
    package mutating func append(missingFrom other: JSONObject) {
        other.forEach { key, value in
            switch (members[key], value) {
            case (nil, _), (.null, _): members[key] = value
            case (.object(var object), .object(let more)):
                object.append(missingFrom: more)
                members[key] = .object(object)
            case (.array(let elements), .array(let more)): members[key] = .array(elements + more)
            default: break
            }
        }
    }
}

extension JSONObject {
    /// Sets the member. Does nothing if the value is `nil`.
    package mutating func set(_ key: String, _ value: String?) {
        if let value { self[key] = .string(value) }
    }

    package mutating func set(_ key: String, _ value: Bool?) {
        if let value { self[key] = .bool(value) }
    }

    package mutating func set(_ key: String, _ value: Int64?) {
        if let value { self[key] = .integer(value) }
    }

    /// Sets the member to a time as ISO 8601 text. Does nothing if the time is `nil`.
    package mutating func set(_ key: String, time milliseconds: Int64?) {
        if let milliseconds { self[key] = .string(WireTime.text(milliseconds)) }
    }

    /// Sets the member. Does nothing if the array is empty.
    package mutating func set(_ key: String, _ values: [JSONValue]) {
        if !values.isEmpty { self[key] = .array(values) }
    }

    package mutating func set(_ key: String, _ object: JSONObject?) {
        if let object { self[key] = .object(object) }
    }
}
