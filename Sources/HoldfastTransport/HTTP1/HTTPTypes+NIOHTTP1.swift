import HTTPTypes
import NIOHTTP1

extension HTTPResponse {
    /// Takes over a head that NIOHTTP1 has read.
    init(_ head: HTTPResponseHead) throws(TransportError) {
        let code = Int(head.status.code)
        guard (200...999).contains(code) else {
            throw .malformed("The status \(code) is none of a final response.")
        }
        self.init(status: Status(code: code), headerFields: try HTTPFields(head.headers))
    }
}

extension HTTPFields {
    /// Takes over header fields that NIOHTTP1 has read.
    init(_ headers: HTTPHeaders) throws(TransportError) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else {
                throw .malformed("The name of a header field has a forbidden character.")
            }
            append(HTTPField(name: name, value: value))
        }
    }
}
