import HTTPTypes
import Tracing

/// Writes what a tracer wants to tell the server into header fields.
///
/// A name that is no token and a value with a forbidden character are left out: baggage may hold anything, and a line break in it
/// would become a field of its own.
struct HTTPFieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        carrier[name] = value
    }
}
