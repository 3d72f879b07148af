/// A writer for a streamed request body.
public struct HTTPBodyWriter: Sendable {
    private let body: @Sendable ([UInt8]) async throws -> Void

    package init(write: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.body = write
    }

    /// Sends bytes and returns when the connection can accept more.
    ///
    /// - Throws: An error if the exchange failed, if the bytes exceed the announced length, or if the exchange has
    ///   ended. A server may respond before it has read the whole body.
    public func write(_ bytes: [UInt8]) async throws {
        try await body(bytes)
    }
}
