import Hummingbird
import NIOCore

/// Reads the events of a form from a request's body, with the back-pressure of the socket.
struct FormReader {
    private var body: RequestBody.AsyncIterator
    private var parser: MultipartParser
    private var events: ArraySlice<MultipartEvent> = []
    private var isFinished = false

    init(body: RequestBody, contentType: String) throws(MultipartError) {
        self.body = body.makeAsyncIterator()
        parser = try MultipartParser(contentType: contentType)
    }

    /// The next event; `nil` behind the closing boundary. A body that ends before it throws ``MultipartError``.
    mutating func next() async throws -> MultipartEvent? {
        while true {
            if let event = events.popFirst() {
                if event == .finished { isFinished = true }
                return event
            }
            if isFinished { return nil }
            guard let chunk = try await body.next() else {
                try parser.end()
                return nil
            }
            events = try parser.feed(chunk)[...]
        }
    }

    /// The next bytes of the part that began last; `nil` at its end.
    mutating func nextData() async throws -> ByteBuffer? {
        guard case .data(let data)? = try await next() else { return nil }
        return data
    }
}
