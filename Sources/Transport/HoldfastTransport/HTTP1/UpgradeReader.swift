package import HTTPTypes
package import NIOCore

/// Parses the response to an upgrade request (RFC 9110, 7.8): a `101`, or any other response.
///
/// Its errors have the code ``TransportError/Code-swift.struct/malformedResponse`` and the phase
/// ``TransportError/Phase/upgrading``.
package struct UpgradeReader: Sendable {
    /// A parsed element.
    package enum Event: Hashable, Sendable {
        /// The server switches protocols (101). The following bytes belong to the other protocol and stay in the
        /// buffer.
        case switching(HTTPFields)
        /// The head of any other final response.
        case refused(status: Int, HTTPFields)
        /// A part of the body of another response.
        case body(ByteBuffer)
        /// The end of another response.
        case end
    }

    private var parser: ResponseParser

    package init(limits: TransportLimits = TransportLimits()) {
        parser = ResponseParser(limits: limits)
        parser.expect(.get, allowsUpgrade: true)
    }

    /// Parses bytes of the connection. Returns `nil` if it needs more bytes. Skips informational responses, up to the
    /// limit.
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

    /// Parses bytes in an array; otherwise as the method above.
    package mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(TransportError) -> Event? {
        var buffer = ByteBuffer(bytes: bytes)
        defer { bytes = bytes.suffix(buffer.readableBytes) }
        return try next(&buffer)
    }

    /// Processes an orderly end of the connection. Returns whether it ends a response other than `101`.
    package mutating func connectionEnded() -> Bool { parser.connectionEnded() }

    private static func malformed(_ error: TransportError) -> TransportError {
        var failure = TransportError(
            .malformedResponse, in: .upgrading, "The response to the upgrade is malformed: \(error.reason)")
        failure.defect = error.defect
        return failure
    }
}
