/// The body of a request.
public struct HTTPBody: Sendable {
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(path: String, range: Range<Int64>?)
        case opened(FileReader, Range<Int64>)
        case stream(length: Int64?, produce: @Sendable (HTTPBodyWriter) async throws -> Void)
    }

    package let source: Source

    /// Bytes in memory.
    public static func bytes(_ bytes: [UInt8]) -> HTTPBody {
        HTTPBody(source: .bytes(bytes))
    }

    /// A file, or a range of its bytes. It is opened when the request is sent; a file that cannot be read, or that is
    /// too short for the range, fails the request with ``TransportError/Code-swift.struct/bodyFailed``.
    public static func file(path: String, range: Range<Int64>? = nil) -> HTTPBody {
        HTTPBody(source: .file(path: path, range: range))
    }

    /// Bytes that a closure writes, as fast as the server takes them.
    ///
    /// - Parameters:
    ///   - length: How many bytes there will be. Writing more or fewer fails the request. `nil`: not known; the body is
    ///     sent in chunks.
    ///   - produce: Writes the body, and returns when all is written. Called once at most, in a child task of the
    ///     caller's.
    public static func stream(
        length: Int64?, _ produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> HTTPBody {
        HTTPBody(source: .stream(length: length, produce: produce))
    }

    /// Whether the body can be sent a second time. The client repeats a request on a fresh connection only if it can.
    public var isReplayable: Bool {
        switch source {
        case .bytes, .file, .opened: true
        case .stream: false
        }
    }
}
