/// Takes the fields of one object that the reader knows and hands back the others at the end, so that a key that this
/// version does not know survives being read and written.
///
/// A known key with a value of the wrong kind counts as absent, is handed back too, and is named in `problems`. The same
/// goes for single elements of an array: the others are read.
struct FieldReader {
    private let object: JSONObject
    private var taken: Set<String> = []
    /// Keys that the reader knows: for them absent and `null` mean the same.
    private var known: Set<String> = []
    /// What is left of fields that were read in part.
    private var leftovers = JSONObject()
    /// What could not be read, in the order in which it was looked for.
    private(set) var problems: [WireProblem] = []

    init(_ object: JSONObject) {
        self.object = object
    }

    // MARK: Single values

    mutating func string(_ key: String) -> String? { take(key, "text") { $0.stringValue } }

    mutating func bool(_ key: String) -> Bool? { take(key, "a truth value") { $0.boolValue } }

    mutating func integer(_ key: String) -> Int64? { take(key, "a whole number") { $0.integerValue } }

    mutating func object(_ key: String) -> JSONObject? { take(key, "an object") { $0.objectValue } }

    /// An identifier: text, or a number that some servers write without quotes.
    mutating func identifier(_ key: String) -> String? {
        take(key, "an identifier", Self.identifier)
    }

    /// A moment in milliseconds since 1970: ISO-8601 text, or the number itself.
    mutating func time(_ key: String) -> Int64? {
        take(key, "a time") { value in
            if case .string(let text) = value { return WireTime.milliseconds(text) }
            return value.integerValue
        }
    }

    mutating func choice<T>(_ key: String, _ convert: (String) -> T?) -> T? {
        take(key, "one of the documented words") { $0.stringValue.flatMap(convert) }
    }

    /// The server's words for a failure: text, or whatever it wrote instead as JSON text.
    mutating func words(_ key: String) -> String? {
        take(key, "text") { $0 == .null ? nil : $0.stringValue ?? $0.text }
    }

    static func identifier(_ value: JSONValue) -> String? {
        value.stringValue ?? value.integerValue.map { String($0) }
    }

    // MARK: Values with parts

    /// An object read by `read`. One that it does not accept counts as absent and is handed back.
    mutating func nested<T>(_ key: String, _ read: (inout FieldReader) -> T?) -> T? {
        guard let object = object(key) else { return nil }
        var reader = FieldReader(object)
        guard let value = read(&reader) else {
            taken.remove(key)
            problems.append(WireProblem(at: key, expected: "a readable object", found: .object(object)))
            return nil
        }
        problems += reader.problems.map { $0.inside(key) }
        return value
    }

    /// The elements of an array that `convert` accepts; the others are handed back. `nil` without an array.
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

    /// The objects of an array that `read` accepts; the other elements are handed back. `nil` without an array.
    mutating func objects<T>(_ key: String, _ read: (inout FieldReader) -> T?) -> [T]? {
        var inner: [WireProblem] = []
        var index = -1
        let values = list(key, "a readable object") { element -> T? in
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

    /// The elements of an array, whatever they are.
    mutating func array(_ key: String) -> [JSONValue]? { take(key, "an array") { $0.arrayValue } }

    /// The value of a key, whatever it is.
    mutating func take(_ key: String) -> JSONValue? {
        problems.removeAll { $0.path == key }
        return take(key, "anything") { $0 }
    }

    /// Hands back a part of a field that was taken.
    mutating func leave(_ part: JSONValue, of key: String) { leftovers[key] = part }

    // MARK: The rest

    /// What was not taken, in order.
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
