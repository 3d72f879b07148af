import Crypto
import HTTPTypes
import HoldfastTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of `Sec-WebSocket-Key`: sixteen random bytes in base64 (RFC 6455, 4.1).
///
/// The key proves that the server understood the upgrade. It is not a secret and does not authenticate either end.
package struct WebSocketKey: Hashable, Sendable {
    /// The value of the header field.
    package let text: String

    /// Makes a key from sixteen random bytes.
    package init(entropy: WebSocketEntropy) {
        self.text = Data(entropy.nonce()).base64EncodedString()
    }

    /// Parses a client's value. Returns `nil` if it is not the base64 encoding of sixteen bytes.
    package init?(_ text: String) {
        // Checks the length first, so that long values are not decoded.
        guard text.utf8.count == 24, let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
        self.text = text
    }

    /// The server's `Sec-WebSocket-Accept` value (RFC 6455, 4.2.2). The RFC prescribes SHA-1; security does not depend
    /// on its strength.
    package var accept: String {
        let digest = Insecure.SHA1.hash(data: Data((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}

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
