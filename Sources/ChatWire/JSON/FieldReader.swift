/// Takes the fields of one object that the reader knows and hands back the others at the end, so that a key that this
/// version does not know survives being read and written. A known key with a value of the wrong kind counts as absent
/// and is handed back too.
struct FieldReader {
    private let object: JSONObject
    private var taken: Set<String> = []

    init(_ object: JSONObject) {
        self.object = object
    }

    private mutating func take<T>(_ key: String, _ convert: (JSONValue) -> T?) -> T? {
        guard let raw = object[key], let value = convert(raw) else { return nil }
        taken.insert(key)
        return value
    }

    mutating func string(_ key: String) -> String? { take(key) { $0.stringValue } }

    mutating func bool(_ key: String) -> Bool? { take(key) { $0.boolValue } }

    mutating func integer(_ key: String) -> Int64? { take(key) { $0.integerValue } }

    mutating func object(_ key: String) -> JSONObject? { take(key) { $0.objectValue } }

    mutating func array(_ key: String) -> [JSONValue]? { take(key) { $0.arrayValue } }

    /// An identifier: text, or a number that some servers write without quotes.
    mutating func identifier(_ key: String) -> String? {
        take(key) { $0.stringValue ?? $0.integerValue.map(String.init) }
    }

    /// A moment in milliseconds since 1970: ISO-8601 text, or the number itself.
    mutating func time(_ key: String) -> Int64? {
        take(key) { value in
            if case .string(let text) = value { return WireTime.milliseconds(text) }
            return value.integerValue
        }
    }

    mutating func choice<T>(_ key: String, _ convert: (String) -> T?) -> T? {
        take(key) { $0.stringValue.flatMap(convert) }
    }

    /// The objects of an array; an element of another kind is left out.
    mutating func objects(_ key: String) -> [JSONObject] {
        array(key)?.compactMap(\.objectValue) ?? []
    }

    /// What was not taken, in order. `null` members are dropped: absent and null mean the same here.
    var rest: JSONObject {
        var rest = JSONObject()
        object.forEach { key, value in
            if value != .null, !taken.contains(key) { rest[key] = value }
        }
        return rest
    }
}
