import HTTPTypes

extension Decompression {
    /// Returns the decoder for a response's body, if needed, and the response without its coding fields.
    func decoder(
        for response: HTTPResponse, to method: HTTPRequest.Method
    ) throws(TransportError) -> (HTTPResponse, BodyDecoder?) {
        guard isOn, let coding = try ContentCoding(of: response, to: method) else { return (response, nil) }
        var response = response
        response.headerFields[.contentEncoding] = nil
        response.headerFields[.contentLength] = nil
        return (response, try BodyDecoder(coding, limits: self))
    }
}

extension CollectedResponse {
    /// Creates a response from an answer. Decodes the body if required and checks the decoded body against `limit`.
    init(
        _ answer: Exchange.Answer, to method: HTTPRequest.Method, upTo limit: Int, _ decompression: Decompression
    ) throws(TransportError) {
        let (response, decoder) = try decompression.decoder(for: answer.response, to: method)
        self.init(response: response, body: answer.body, trailers: answer.trailers, facts: answer.facts)
        if let decoder {
            body = []
            decoder.feed(answer.body)
            while let part = try decoder.next() {
                guard body.count + part.count <= limit else { throw Exchange.tooLarge }
                guard !Task.isCancelled else { throw Exchange.cancelled }
                body += part
            }
            try decoder.finish()
        }
        guard body.count <= limit else { throw Exchange.tooLarge }
    }
}
