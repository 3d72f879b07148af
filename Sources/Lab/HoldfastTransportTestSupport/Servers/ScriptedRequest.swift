/// A request that a scripted server has received.
public struct ScriptedRequest: Hashable, Sendable {
    /// The number of the connection, in the order of their acceptance, from zero.
    public var connection: Int
    /// The number of the request on its connection, from zero.
    public var number: Int
    /// The method.
    public var method: String
    /// The target of the request line.
    public var target: String
    /// The header fields, in order, names as sent.
    public var fields: [Field]
    /// The body; chunked bodies are decoded.
    public var body: [UInt8] = []

    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name as sent.
        public var name: String
        /// The value.
        public var value: String
    }

    /// The value of the first field of that name, in any case.
    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
