package import HummingbirdCore
package import NIOCore

/// Reads the events of a form from a request's body, with the socket's back-pressure.
package struct FormReader {
    private var body: RequestBody.AsyncIterator
    private var parser: MultipartParser
    private var events: ArraySlice<MultipartEvent> = []
    private var isFinished = false

    /// Creates a reader of a body with this `Content-Type`. Throws ``MultipartError`` if the body is not a form.
    package init(body: RequestBody, contentType: String, limits: MultipartLimits = .init()) throws(MultipartError) {
        self.body = body.makeAsyncIterator()
        parser = try MultipartParser(contentType: contentType, limits: limits)
    }

    /// Returns the next event; `nil` after the closing boundary. Throws ``MultipartError`` if the body ends before it.
    package mutating func next() async throws -> MultipartEvent? {
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

    /// Returns the next bytes of the current part; `nil` at its end.
    package mutating func nextData() async throws -> ByteBuffer? {
        guard case .data(let data)? = try await next() else { return nil }
        return data
    }
}
