/// Takes the bytes of a streamed request body.
public struct HTTPBodyWriter: Sendable {
    private let body: @Sendable ([UInt8]) async throws -> Void

    package init(write: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.body = write
    }

    /// Sends bytes; returns when the connection can take more. Throws when the exchange has failed, when it is over (a
    /// server may answer before it has read all), or when there are more bytes than announced.
    public func write(_ bytes: [UInt8]) async throws {
        try await body(bytes)
    }
}
