import HTTPTypes
import NIOHTTP1

extension HTTPFields {
    /// Takes over what was read from the wire; `nil` where a name is no token.
    init?(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { return nil }
            append(HTTPField(name: name, value: value))
        }
    }
}
