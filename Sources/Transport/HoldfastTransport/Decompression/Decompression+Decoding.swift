import HTTPTypes

extension Decompression {
    /// What undoes the coding of a response's body, and the response as the caller then sees it.
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
    /// Takes over an answer, its body decoded where that is wanted, and not larger than `limit` then.
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
