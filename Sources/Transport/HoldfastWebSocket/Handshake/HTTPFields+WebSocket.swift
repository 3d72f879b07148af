import HTTPTypes
import HoldfastTransport

extension HTTPFields {
    /// The members of a field that is a comma-separated list (RFC 9110, 5.6.1), over all its lines, without empty ones.
    func members(of name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { $0.listElements.filter { !$0.isEmpty } }
    }

    /// The value of a field that may be there once; `nil` where it is missing or repeated.
    func single(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values.first : nil
    }
}
