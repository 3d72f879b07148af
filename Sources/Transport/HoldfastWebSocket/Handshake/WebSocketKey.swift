import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of `Sec-WebSocket-Key`: sixteen random bytes in base64 (RFC 6455, 4.1).
///
/// It proves that the server understood the upgrade; it is no secret and authenticates nobody.
package struct WebSocketKey: Hashable, Sendable {
    /// The value of the header field.
    package let text: String

    /// Makes a key from sixteen fresh bytes.
    package init(entropy: WebSocketEntropy) {
        self.text = Data(entropy.nonce()).base64EncodedString()
    }

    /// Takes what a client sent; `nil` where it is not the base64 of sixteen bytes.
    package init?(_ text: String) {
        // The length first: nothing long is decoded.
        guard text.utf8.count == 24, let bytes = Data(base64Encoded: text), bytes.count == 16 else { return nil }
        self.text = text
    }

    /// What the server answers in `Sec-WebSocket-Accept` (RFC 6455, 4.2.2). SHA-1 is what the RFC says; nothing here
    /// rests on its strength.
    package var accept: String {
        let digest = Insecure.SHA1.hash(data: Data((text + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}
