import HoldfastTransport
import HoldfastWebSocket

/// Finds the end of the head before the frames of one direction: the request, or informational responses and the `101`.
///
/// A response is parsed with the connection's own parser, so that both find the frames in the same place or not at all.
struct UpgradeHead: Sendable {
    /// The result of a search.
    enum Finding: Hashable, Sendable {
        /// The end of the head has not arrived.
        case incomplete
        /// The bytes after the head.
        case frames([UInt8])
        /// No frames will follow.
        case none
    }

    /// The maximum size of a head in bytes. A longer one ends the connection, or this search.
    private static let sizeLimit = 64 * 1024

    private var held: [UInt8] = []
    /// The number of bytes that were searched and do not contain the end of a head.
    private var known = 0
    private var answers = UpgradeReader()

    /// Takes the client's next bytes.
    mutating func request(_ bytes: UnsafeRawBufferPointer) -> Finding {
        held += bytes
        guard let end = held[max(0, known - 3)...].firstRange(of: Array("\r\n\r\n".utf8)) else {
            known = held.count
            return held.count > Self.sizeLimit ? .none : .incomplete
        }
        return .frames(Array(held[end.upperBound...]))
    }

    /// Takes the server's next bytes.
    mutating func answer(_ bytes: UnsafeRawBufferPointer) -> Finding {
        var rest = Array(bytes)[...]
        do throws(TransportError) {
            guard let event = try answers.next(&rest) else { return .incomplete }
            guard case .switching = event else { return .none }
            return .frames(Array(rest))
        } catch {
            return .none
        }
    }
}
