/// The body of a request.
public struct HTTPBody: Sendable {
    package enum Source: Sendable {
        case bytes([UInt8])
        case file(path: String, range: Range<Int64>?)
        case opened(FileReader, Range<Int64>)
        case stream(length: Int64?, produce: @Sendable (HTTPBodyWriter) async throws -> Void)
    }

    package let source: Source

    /// Returns a body of bytes in memory.
    public static func bytes(_ bytes: [UInt8]) -> HTTPBody {
        HTTPBody(source: .bytes(bytes))
    }

    /// Returns a body of a file, or of a range of its bytes.
    ///
    /// The file is opened when the request is sent. If it cannot be read or is too short for the range, the request
    /// fails with ``TransportError/Code-swift.struct/bodyFailed``.
    public static func file(path: String, range: Range<Int64>? = nil) -> HTTPBody {
        HTTPBody(source: .file(path: path, range: range))
    }

    /// Returns a body that a closure writes, as fast as the server reads it.
    ///
    /// - Parameters:
    /// - length: The number of bytes; writing more or fewer fails the request. If `nil`, the length is unknown and the
    ///   body is sent in chunks.
    /// - produce: Writes the body and returns when all is written. Called at most once, in a child task of the calling
    ///   task.
    public static func stream(
        length: Int64?, _ produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) -> HTTPBody {
        HTTPBody(source: .stream(length: length, produce: produce))
    }

    /// Whether the body can be sent again. Only then can the client repeat the request on a new connection.
    public var isReplayable: Bool {
        switch source {
        case .bytes, .file, .opened: true
        case .stream: false
        }
    }
}
