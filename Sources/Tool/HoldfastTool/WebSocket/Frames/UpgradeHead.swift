import HoldfastTransport
import HoldfastWebSocket

/// What stands in front of the frames of one direction: the request, or a few informational answers and the `101`.
///
/// An answer is read by what the connection reads it by, so that both find the frames in the same place or not at all.
struct UpgradeHead: Sendable {
    /// What was found.
    enum Finding: Hashable, Sendable {
        /// The end of the head has not come.
        case incomplete
        /// These bytes are behind the head.
        case frames([UInt8])
        /// There will be no frames.
        case none
    }

    /// The most bytes of one head that are kept. A longer one ends the connection, or this search.
    private static let sizeLimit = 64 * 1024

    private var held: [UInt8] = []
    /// How many of them were searched and hold no end of a head.
    private var known = 0
    private var answers = UpgradeReader()

    /// Takes the next bytes of a client.
    mutating func request(_ bytes: UnsafeRawBufferPointer) -> Finding {
        held += bytes
        guard let end = held[max(0, known - 3)...].firstRange(of: Array("\r\n\r\n".utf8)) else {
            known = held.count
            return held.count > Self.sizeLimit ? .none : .incomplete
        }
        return .frames(Array(held[end.upperBound...]))
    }

    /// Takes the next bytes of a server.
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
