/// A value that is an object on the wire.
protocol WireObject {
    /// Reads the value. Returns `nil` if a required field is missing.
    init?(_ fields: inout FieldReader)

    /// The value as a JSON object.
    var json: JSONObject { get }
}

/// A value whose optional fields are listed in one place.
protocol WireFields {
    /// Unknown keys, and known keys whose value has the wrong type.
    var extra: JSONObject { get set }

    /// Passes each optional field to the visitor.
    mutating func visit(_ fields: inout some FieldVisitor)
}

extension WireFields {
    /// Reads the fields and keeps the other members of the object in `extra`.
    mutating func read(_ fields: inout FieldReader) {
        visit(&fields)
        extra = fields.rest
    }

    /// Returns the members of `first`, then the fields, then `extra`.
    func written(after first: JSONObject = [:]) -> JSONObject {
        var (copy, writer) = (self, FieldWriter(object: first))
        copy.visit(&writer)
        writer.object.append(missingFrom: extra)
        return writer.object
    }
}

/// A value that is an object on the wire and has only optional fields.
protocol OptionalFields: WireFields, WireObject {
    /// Creates a value without any field.
    init()
}

extension OptionalFields {
    init(_ fields: inout FieldReader) {
        self.init()
        read(&fields)
    }

    init(_ object: JSONObject) {
        self.init()
        var fields = FieldReader(object)
        read(&fields)
    }

    var json: JSONObject { written() }
}

/// Visits the fields of an object in the order in which they are written, so that each key appears only once in the
/// code. ``FieldReader`` sets the values, and ``FieldWriter`` writes them.
protocol FieldVisitor {
    mutating func string(_ key: String, _ value: inout String?)
    /// Visits an identifier: a string, or a number that some servers write without quotes.
    mutating func identifier(_ key: String, _ value: inout String?)
    mutating func bool(_ key: String, _ value: inout Bool?)
    mutating func integer(_ key: String, _ value: inout Int64?)
    /// Visits a time in milliseconds since 1970, written as ISO 8601 text.
    mutating func time(_ key: String, _ value: inout Int64?)
    /// Visits a value that must be one of the documented strings.
    ///
    /// - Parameter writesNull: Whether an absent value is written as `null`.
    mutating func choice<T: RawRepresentable<String>>(_ key: String, _ value: inout T?, writesNull: Bool)
    mutating func strings(_ key: String, _ values: inout [String])
    mutating func nested<T: WireObject>(_ key: String, _ value: inout T?)
    mutating func objects<T: WireObject>(_ key: String, _ values: inout [T])
    mutating func contents(_ key: String, _ values: inout [Content])
}

extension FieldReader: FieldVisitor {
    mutating func string(_ key: String, _ value: inout String?) { value = string(key) }
    mutating func identifier(_ key: String, _ value: inout String?) { value = identifier(key) }
    mutating func bool(_ key: String, _ value: inout Bool?) { value = bool(key) }
    mutating func integer(_ key: String, _ value: inout Int64?) { value = integer(key) }
    mutating func time(_ key: String, _ value: inout Int64?) { value = time(key) }
    mutating func choice<T: RawRepresentable<String>>(_ key: String, _ value: inout T?, writesNull: Bool) {
        value = choice(key, T.init(rawValue:))
    }
    mutating func strings(_ key: String, _ values: inout [String]) {
        values = list(key, "a string") { $0.stringValue } ?? []
    }
    mutating func nested<T: WireObject>(_ key: String, _ value: inout T?) { value = nested(key, T.init) }
    mutating func objects<T: WireObject>(_ key: String, _ values: inout [T]) { values = objects(key, T.init) ?? [] }
    mutating func contents(_ key: String, _ values: inout [Content]) { values = array(key)?.map(Content.init) ?? [] }
}

/// Writes the fields that have a value.
struct FieldWriter: FieldVisitor {
    /// The object so far. Initially, it contains the members that precede the fields.
    var object: JSONObject

    mutating func string(_ key: String, _ value: inout String?) { object.set(key, value) }
    mutating func identifier(_ key: String, _ value: inout String?) { object.set(key, value) }
    mutating func bool(_ key: String, _ value: inout Bool?) { object.set(key, value) }
    mutating func integer(_ key: String, _ value: inout Int64?) { object.set(key, value) }
    mutating func time(_ key: String, _ value: inout Int64?) { object.set(key, time: value) }
    mutating func choice<T: RawRepresentable<String>>(_ key: String, _ value: inout T?, writesNull: Bool) {
        if let value { object[key] = .string(value.rawValue) } else if writesNull { object[key] = .null }
    }
    mutating func strings(_ key: String, _ values: inout [String]) { object.set(key, values.map { .string($0) }) }
    mutating func nested<T: WireObject>(_ key: String, _ value: inout T?) { object.set(key, value?.json) }
    mutating func objects<T: WireObject>(_ key: String, _ values: inout [T]) {
        object.set(key, values.map { .object($0.json) })
    }
    mutating func contents(_ key: String, _ values: inout [Content]) { object.set(key, values.map(\.json)) }
}
