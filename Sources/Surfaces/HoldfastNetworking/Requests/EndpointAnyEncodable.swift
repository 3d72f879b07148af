/// Any encodable value, for the body of an endpoint.
public struct EndpointAnyEncodable: Encodable, Sendable {
    private let body: @Sendable (any Encoder) throws -> Void

    /// Wraps a value.
    public init<T: Encodable & Sendable>(_ value: T) {
        self.body = { try value.encode(to: $0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try body(encoder)
    }
}
