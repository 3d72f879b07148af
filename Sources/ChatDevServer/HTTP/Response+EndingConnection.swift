import Hummingbird
import NIOCore

extension Response {
    /// The same answer to a request whose body is not wanted. So that the client gets to read it, up to `draining` bytes of
    /// the body are read and dropped; if there are more, the connection ends.
    func endingConnection(of request: Request, draining: Int) -> Response {
        var response = self
        response.headers[.connection] = "close"
        let body = self.body
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(writer)
            var left = draining
            for try await chunk in request.body {
                left -= chunk.readableBytes
                if left < 0 { break }
            }
            // An error behind a complete answer is how this server is told to end the connection.
            throw ConnectionEnded()
        }
        return response
    }

    private struct ConnectionEnded: Error {}
}
