import HTTPTypes
import Tracing

/// Writes the trace context of a tracer into header fields.
///
/// Names that are not tokens, and values with forbidden characters, are omitted. Baggage may contain any text, and a
/// line break in it would start another field.
struct HTTPFieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPFields) {
        guard let name = HTTPField.Name(key), HTTPField.isValidValue(value) else { return }
        carrier[name] = value
    }
}
