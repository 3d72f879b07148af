import HTTPTypes
import HoldfastTransport

extension HTTPFields {
    /// Returns the non-empty elements of a comma-separated field (RFC 9110, 5.6.1), over all its lines.
    func members(of name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { $0.listElements.filter { !$0.isEmpty } }
    }

    /// Returns the value of a field that may occur once; `nil` if it is missing or repeated.
    func single(_ name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count == 1 ? values.first : nil
    }
}
