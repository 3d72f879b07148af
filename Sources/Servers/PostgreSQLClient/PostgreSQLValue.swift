#if PostgreSQL

/// A parameter of a statement. It is sent in PostgreSQL's binary format with its type.
package enum PostgreSQLValue: Hashable, Sendable {
    /// `bigint`; `nil` for null.
    case integer(Int64?)
    /// `text`; `nil` for null. A text with U+0000 is refused by the server.
    case text(String?)
    /// `bytea`; `nil` for null.
    case bytes([UInt8]?)
    /// `bigint[]`.
    case integers([Int64?])
    /// `text[]`.
    case texts([String?])
    /// `bytea[]`.
    case byteStrings([[UInt8]?])

    /// The object identifiers of the types in PostgreSQL's catalog, which never change.
    private enum Kind {
        static let bytea: UInt32 = 17
        static let bigint: UInt32 = 20
        static let text: UInt32 = 25
        static let byteaArray: UInt32 = 1_001
        static let textArray: UInt32 = 1_009
        static let bigintArray: UInt32 = 1_016
    }

    /// The object identifier of the type.
    var type: UInt32 {
        switch self {
        case .integer: Kind.bigint
        case .text: Kind.text
        case .bytes: Kind.bytea
        case .integers: Kind.bigintArray
        case .texts: Kind.textArray
        case .byteStrings: Kind.byteaArray
        }
    }

    /// Appends the value in binary format. Returns `false` for null, which has no bytes.
    func append(to buffer: inout [UInt8]) -> Bool {
        switch self {
        case .integer(let value): return Self.append(value.map(Self.encoded), to: &buffer)
        case .text(let value): return Self.append(value.map { Array($0.utf8) }, to: &buffer)
        case .bytes(let value): return Self.append(value, to: &buffer)
        case .integers(let values): Self.append(values, of: Kind.bigint, to: &buffer, Self.encoded)
        case .texts(let values): Self.append(values, of: Kind.text, to: &buffer) { Array($0.utf8) }
        case .byteStrings(let values): Self.append(values, of: Kind.bytea, to: &buffer) { $0 }
        }
        return true
    }

    private static func append(_ value: [UInt8]?, to buffer: inout [UInt8]) -> Bool {
        guard let value else { return false }
        buffer += value
        return true
    }

    /// Appends an array with one dimension: the dimensions, whether there are nulls, the type of the elements, their
    /// number, the index of the first one, and each element after its length.
    private static func append<Element>(
        _ values: [Element?], of type: UInt32, to buffer: inout [UInt8], _ encode: (Element) -> [UInt8]
    ) {
        append(Int32(values.isEmpty ? 0 : 1), to: &buffer)
        append(Int32(values.contains { $0 == nil } ? 1 : 0), to: &buffer)
        append(Int32(bitPattern: type), to: &buffer)
        guard !values.isEmpty else { return }
        append(Int32(clamping: values.count), to: &buffer)
        append(Int32(1), to: &buffer)
        for value in values {
            guard let value else {
                append(Int32(-1), to: &buffer)
                continue
            }
            let bytes = encode(value)
            append(Int32(clamping: bytes.count), to: &buffer)
            buffer += bytes
        }
    }

    private static func append(_ number: Int32, to buffer: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { buffer += $0 }
    }

    private static func encoded(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// A statement with its parameters.
package struct PostgreSQLStatement: Sendable {
    /// The name under which each connection prepares the statement. Statements with the same name have the same text.
    /// A statement with an empty name is prepared each time.
    package let name: StaticString
    package let sql: String
    package let values: [PostgreSQLValue]

    package init(_ name: StaticString, _ sql: String, _ values: [PostgreSQLValue] = []) {
        self.name = name
        self.sql = sql
        self.values = values
    }

    /// Begins a transaction with the default isolation, `READ COMMITTED`.
    package static let begin = PostgreSQLStatement("begin", "BEGIN")
    package static let commit = PostgreSQLStatement("commit", "COMMIT")
}

/// The rows of a statement's answer.
package struct PostgreSQLRows: Hashable, Sendable {
    /// The columns of each row in binary format; `nil` for null.
    let rows: [[[UInt8]?]]
    /// The number of rows that the statement returned or changed.
    package let affected: Int

    package var count: Int { rows.count }

    /// Returns the value that `decode` makes of each row.
    package func map<Value>(
        _ decode: (PostgreSQLRow) throws(PostgreSQLError) -> Value
    ) throws(PostgreSQLError) -> [Value] {
        var values: [Value] = []
        for columns in rows { values.append(try decode(PostgreSQLRow(columns: columns))) }
        return values
    }

    /// The first row; `nil` if there is none.
    package var first: PostgreSQLRow? { rows.first.map { PostgreSQLRow(columns: $0) } }
}

/// A row of an answer. A column of another type than the requested one is an error and never traps.
package struct PostgreSQLRow: Sendable {
    let columns: [[UInt8]?]

    /// Returns a `smallint`, `integer` or `bigint`.
    package func integer(_ index: Int) throws(PostgreSQLError) -> Int64 {
        guard let value = try optionalInteger(index) else { throw Self.unexpected(index) }
        return value
    }

    package func optionalInteger(_ index: Int) throws(PostgreSQLError) -> Int64? {
        guard let bytes = try optionalBytes(index) else { return nil }
        switch bytes.count {
        case 2, 4, 8:
            let isNegative = bytes[0] & 0x80 != 0
            return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
        default: throw Self.unexpected(index)
        }
    }

    package func text(_ index: Int) throws(PostgreSQLError) -> String {
        String(decoding: try bytes(index), as: UTF8.self)
    }

    package func optionalText(_ index: Int) throws(PostgreSQLError) -> String? {
        try optionalBytes(index).map { String(decoding: $0, as: UTF8.self) }
    }

    package func bytes(_ index: Int) throws(PostgreSQLError) -> [UInt8] {
        guard let bytes = try optionalBytes(index) else { throw Self.unexpected(index) }
        return bytes
    }

    package func optionalBytes(_ index: Int) throws(PostgreSQLError) -> [UInt8]? {
        guard columns.indices.contains(index) else { throw Self.unexpected(index) }
        return columns[index]
    }

    private static func unexpected(_ index: Int) -> PostgreSQLError {
        PostgreSQLError(.unexpectedAnswer, "Column \(index + 1) of the answer has another form than expected.")
    }
}

#endif
