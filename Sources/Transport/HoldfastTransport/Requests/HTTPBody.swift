public import HTTPTypes

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

/// A reader for a response body, which reads one part at a time.
///
/// The reader is valid only inside the closure of ``HTTPClient/execute(_:body:options:handle:)``.
public struct HTTPBodyReader: ~Copyable {
    private let exchange: Exchange
    /// The decoder of the body's coding, if it has one.
    private let decoder: BodyDecoder?

    /// The properties of the connection that carries the exchange.
    public let facts: ConnectionFacts

    /// The URL of the response: after redirects, the last one.
    package var url: RequestURL?

    init(_ exchange: Exchange, facts: ConnectionFacts, decoder: BodyDecoder? = nil) {
        self.exchange = exchange
        self.decoder = decoder
        self.facts = facts
    }

    /// Returns the next part of the body, or `nil` at the end. Throws a ``TransportError`` if the body is incomplete.
    public mutating func next() async throws -> [UInt8]? {
        guard let decoder else { return try await exchange.nextPart() }
        while true {
            if let part = try decoder.next() { return part }
            guard let coded = try await exchange.nextPart() else {
                try decoder.finish()
                return nil
            }
            decoder.feed(coded)
        }
    }

    /// The trailer fields; `nil` before the end of the body, and if the server sent none.
    public var trailers: HTTPFields? { exchange.trailers }
}

/// The body of a request, opened and with its length determined.
enum PreparedBody: Sendable {
    case absent
    case bytes([UInt8])
    case file(FileReader, Range<Int64>)
    case stream(length: Int64?)

    var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// The number of bytes, if known.
    var length: Int64? {
        switch self {
        case .absent: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let range): Int64(range.count)
        case .stream(let length): length
        }
    }

    /// Whether the body can be sent again.
    var isReplayable: Bool {
        if case .stream = self { false } else { true }
    }
}

extension HTTPBody {
    /// Opens the body and determines its length.
    func prepare() async throws(TransportError) -> PreparedBody {
        switch source {
        case .bytes(let bytes):
            return .bytes(bytes)
        case .stream(let length, _):
            guard length ?? 0 >= 0 else {
                throw TransportError(.invalidRequest, in: .preparing, "The length of the body is negative.")
            }
            return .stream(length: length)
        case .opened(let file, let range):
            return .file(file, range)
        case .file(let path, let range):
            let file = try await FileReader.opened(path: path)
            let range = range ?? 0..<file.size
            guard range.lowerBound >= 0, range.upperBound <= file.size else {
                throw TransportError(
                    .bodyFailed, in: .preparing,
                    "The file has \(file.size) bytes; the range is \(range.lowerBound) to \(range.upperBound)."
                )
            }
            return .file(file, range)
        }
    }
}
