/// Reads the first bytes of a TLS server to find the cipher suite, an alert, or a protocol that is not TLS.
///
/// NIOSSL does not expose the cipher suite and does not report alerts reliably. The findings are informational only:
/// all bytes still go to the TLS library, which alone drives the handshake.
struct ServerHelloReader: Sendable {
    /// The meaning of the first bytes.
    enum Finding: Hashable, Sendable {
        /// A ServerHello with this cipher suite.
        case hello(cipherSuite: UInt16)
        /// An alert (RFC 8446, 6) instead of a ServerHello.
        case alert(UInt8)
        /// Data that is not a TLS record, with its first bytes (at most 16).
        case notTLS([UInt8])
        /// TLS, but neither a ServerHello nor an alert.
        case unknown
    }

    /// The sum of the record header (5), handshake header (4), version (2), random (32), session ID (1 + 32) and cipher
    /// suite (2).
    private static let enough = 78
    private var bytes: [UInt8] = []
    private(set) var finding: Finding?

    /// Reads more bytes. Does nothing after a finding.
    mutating func feed(_ more: some Sequence<UInt8>) {
        guard finding == nil else { return }
        for byte in more {
            bytes.append(byte)
            finding = read()
            if finding != nil { return }
        }
    }

    /// Returns the IANA name of a cipher suite that Holdfast offers, or the hexadecimal number of any other.
    static func name(ofCipherSuite suite: UInt16) -> String {
        switch suite {
        case 0x1301: "TLS_AES_128_GCM_SHA256"
        case 0x1302: "TLS_AES_256_GCM_SHA384"
        case 0x1303: "TLS_CHACHA20_POLY1305_SHA256"
        case 0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"
        case 0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"
        case 0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"
        case 0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"
        case 0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
        case 0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"
        default: "0x" + String(suite, radix: 16, uppercase: true)
        }
    }

    private func read() -> Finding? {
        // RFC 8446, 5.1: content type (22 handshake, 21 alert), 0x03, 0x01…0x04.
        if bytes.count >= 1, bytes[0] != 22, bytes[0] != 21 { return bytes.count < 16 ? nil : .notTLS(bytes) }
        if bytes.count >= 2, bytes[1] != 3 { return bytes.count < 16 ? nil : .notTLS(bytes) }
        guard bytes.count >= 5 else { return nil }
        if bytes[0] == 21 {
            return bytes.count < 7 ? nil : .alert(bytes[6])
        }
        guard bytes.count >= 6 else { return nil }
        guard bytes[5] == 2 else { return .unknown }
        guard bytes.count >= 44 else { return nil }
        let sessionID = Int(bytes[43])
        guard sessionID <= 32 else { return .unknown }
        let suite = 44 + sessionID
        guard bytes.count >= suite + 2 else { return bytes.count >= Self.enough ? .unknown : nil }
        return .hello(cipherSuite: UInt16(bytes[suite]) << 8 | UInt16(bytes[suite + 1]))
    }

    /// The finding if the connection ends now, before enough bytes for a full finding have arrived.
    var findingAtEnd: Finding? {
        if let finding { return finding }
        guard let first = bytes.first else { return nil }
        let isRecord = (first == 22 || first == 21) && (bytes.count < 2 || bytes[1] == 3)
        return isRecord ? .unknown : .notTLS(bytes)
    }
}
