package import HTTPTypes
package import NIOCore

/// Reads the answer to a request that asks for another protocol (RFC 9110, 7.8): a `101`, or a response like any other.
///
/// Its errors have the code ``TransportError/Code-swift.struct/malformedResponse`` and the phase
/// ``TransportError/Phase/upgrading``.
package struct UpgradeReader: Sendable {
    /// What was read.
    package enum Event: Hashable, Sendable {
        /// The server switches protocols (101). The bytes that follow belong to the other protocol and are left in the buffer.
        case switching(HTTPFields)
        /// The head of any other final response.
        case refused(status: Int, HTTPFields)
        /// A part of the body of a refusal.
        case body(ByteBuffer)
        /// The end of a refusal.
        case end
    }

    private var parser: ResponseParser

    package init(limits: TransportLimits = TransportLimits()) {
        parser = ResponseParser(limits: limits)
        parser.expect(.get, allowsUpgrade: true)
    }

    /// Reads from the connection's bytes. Returns `nil` when it needs more of them. Passes over informational responses, up to
    /// the limit.
    package mutating func next(_ buffer: inout ByteBuffer) throws(TransportError) -> Event? {
        do throws(TransportError) {
            while let event = try parser.next(&buffer) {
                switch event {
                case .informational: continue
                case .head(let head, _):
                    return head.status == 101 ? .switching(head.fields) : .refused(status: head.status, head.fields)
                case .body(let part): return .body(part)
                case .end: return .end
                }
            }
            return nil
        } catch {
            throw Self.malformed(error)
        }
    }

    /// As the method above, for bytes in an array.
    package mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(TransportError) -> Event? {
        var buffer = ByteBuffer(bytes: bytes)
        defer { bytes = bytes.suffix(buffer.readableBytes) }
        return try next(&buffer)
    }

    /// The connection has ended, in order. Returns whether that is the end of a refusal.
    package mutating func connectionEnded() -> Bool { parser.connectionEnded() }

    private static func malformed(_ error: TransportError) -> TransportError {
        var failure = TransportError(
            .malformedResponse, in: .upgrading, "The server's answer to the upgrade cannot be read: \(error.reason)")
        failure.defect = error.defect
        return failure
    }
}
