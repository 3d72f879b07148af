/// Reads the known fields of an object and returns the remaining ones at the end. A key that this version does not know
/// is therefore preserved when the object is written back.
///
/// A known key with a value of the wrong type counts as absent. It also remains, and it is listed in `problems`. The
/// same applies to single elements of an array; the other elements are read.
struct FieldReader {
    private let object: JSONObject
    private var taken: Set<String> = []
    /// The known keys. For them, an absent value and `null` are equivalent.
    private var known: Set<String> = []
    /// The unread parts of fields that were read in part.
    private var leftovers = JSONObject()
    /// The values that could not be read, in the order of the reads.
    private(set) var problems: [WireProblem] = []

    init(_ object: JSONObject) {
        self.object = object
    }

    // MARK: Single values

    mutating func string(_ key: String) -> String? { take(key, "a string") { $0.stringValue } }

    mutating func bool(_ key: String) -> Bool? { take(key, "a Boolean") { $0.boolValue } }

    mutating func integer(_ key: String) -> Int64? { take(key, "an integer") { $0.integerValue } }

    mutating func object(_ key: String) -> JSONObject? { take(key, "an object") { $0.objectValue } }

    /// Reads an identifier: a string, or a number that some servers write without quotes.
    mutating func identifier(_ key: String) -> String? {
        take(key, "an identifier", Self.identifier)
    }

    /// Reads a time in milliseconds since 1970: ISO 8601 text, or the number itself.
    mutating func time(_ key: String) -> Int64? {
        take(key, "a time") { value in
            if case .string(let text) = value { return WireTime.milliseconds(text) }
            return value.integerValue
        }
    }

    mutating func choice<T>(_ key: String, _ convert: (String) -> T?) -> T? {
        take(key, "a documented value") { $0.stringValue.flatMap(convert) }
    }

    /// Reads the server's text of a failure. A value of another type is returned as JSON text.
    mutating func words(_ key: String) -> String? {
        take(key, "a string") { $0 == .null ? nil : $0.stringValue ?? $0.text }
    }

    static func identifier(_ value: JSONValue) -> String? {
        value.stringValue ?? value.integerValue.map { String($0) }
    }

    // MARK: Values with parts

    /// Reads an object with `read`. If `read` returns `nil`, the object counts as absent and remains.
    mutating func nested<T>(_ key: String, _ read: (inout FieldReader) -> T?) -> T? {
        guard let object = object(key) else { return nil }
        var reader = FieldReader(object)
        guard let value = read(&reader) else {
            taken.remove(key)
            problems.append(WireProblem(at: key, expected: "a valid object", found: .object(object)))
            return nil
        }
        problems += reader.problems.map { $0.inside(key) }
        return value
    }

    /// Reads the elements of an array that `convert` accepts. The other elements remain. Returns `nil` if there is no
    /// array.
    mutating func list<T>(_ key: String, _ expected: String, _ convert: (JSONValue) -> T?) -> [T]? {
        guard let elements = take(key, "an array", { $0.arrayValue }) else { return nil }
        var values: [T] = []
        var rest: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            if let value = convert(element) {
                values.append(value)
            } else {
                rest.append(element)
                problems.append(WireProblem(at: "\(key)[\(index)]", expected: expected, found: element))
            }
        }
        if !rest.isEmpty { leftovers[key] = .array(rest) }
        return values
    }

    /// Reads the objects of an array that `read` accepts. The other elements remain. Returns `nil` if there is no
    /// array.
    mutating func objects<T>(_ key: String, _ read: (inout FieldReader) -> T?) -> [T]? {
        var inner: [WireProblem] = []
        var index = -1
        let values = list(key, "a valid object") { element -> T? in
            index += 1
            guard let object = element.objectValue else { return nil }
            var reader = FieldReader(object)
            guard let value = read(&reader) else { return nil }
            inner += reader.problems.map { $0.inside("\(key)[\(index)]") }
            return value
        }
        problems += inner
        return values
    }

    /// Reads the elements of an array, of any type.
    mutating func array(_ key: String) -> [JSONValue]? { take(key, "an array") { $0.arrayValue } }

    /// Reads the value of a key, of any type.
    mutating func take(_ key: String) -> JSONValue? {
        problems.removeAll { $0.path == key }
        return take(key, "any value") { $0 }
    }

    /// Keeps a part of a field that was read, so that it is written back.
    mutating func leave(_ part: JSONValue, of key: String) { leftovers[key] = part }

    // MARK: Remaining fields

    /// The fields that were not read, in order.
    var rest: JSONObject {
        var rest = JSONObject()
        object.forEach { key, value in
            if let left = leftovers[key] {
                rest[key] = left
            } else if !taken.contains(key), value != .null || !known.contains(key) {
                rest[key] = value
            }
        }
        return rest
    }

    private mutating func take<T>(_ key: String, _ expected: String, _ convert: (JSONValue) -> T?) -> T? {
        known.insert(key)
        guard let raw = object[key] else { return nil }
        guard let value = convert(raw) else {
            if raw != .null { problems.append(WireProblem(at: key, expected: expected, found: raw)) }
            return nil
        }
        taken.insert(key)
        return value
    }
}
