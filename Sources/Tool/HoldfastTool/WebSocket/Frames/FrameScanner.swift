import HoldfastTransport
import HoldfastWebSocket

/// Finds the frames in one direction of a connection, from its first byte. Validates nothing: it stops at bytes that
/// are not frames, and the connection reports the error.
struct FrameScanner: Sendable {
    private enum State {
        /// The head of a request or response. The next state is `frames` or `over`.
        case head(UpgradeHead)
        case frames(FrameParser)
        /// Further bytes are ignored.
        case over
    }

    private let direction: FrameSighting.Direction
    private var state = State.head(UpgradeHead())
    private var current: FrameHeader?
    private var payload: [UInt8] = []

    init(_ direction: FrameSighting.Direction) {
        self.direction = direction
    }

    /// Scans the next bytes and returns the frames that end in them.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> [FrameSighting] {
        switch state {
        case .over:
            return []
        case .frames(var parser):
            return frames(in: bytes, &parser)
        case .head(var head):
            // Releases the state's copy of the buffer, so that the buffer grows in place.
            state = .over
            switch direction == .incoming ? head.answer(bytes) : head.request(bytes) {
            case .incomplete:
                state = .head(head)
                return []
            case .frames(let rest):
                var parser = FrameParser(
                    receiver: direction == .incoming ? .client : .server, maximumLength: .max, allowsCompression: true)
                return rest.withUnsafeBytes { frames(in: $0, &parser) }
            case .none:
                return []
            }
        }
    }

    private mutating func frames(
        in input: UnsafeRawBufferPointer, _ parser: inout FrameParser
    ) -> [FrameSighting] {
        var input = input
        var found: [FrameSighting] = []
        do throws(ReceivingFailure) {
            while let part = try parser.next(&input) {
                switch part {
                case .header(let header):
                    current = header
                    payload = []
                case .payload(let bytes, let offset):
                    if let current, current.opcode.isControl { payload += Self.unmask(bytes, offset, current.maskKey) }
                case .end:
                    if let header = current { found.append(sighting(header)) }
                }
            }
            state = .frames(parser)
        } catch {
            state = .over
        }
        return found
    }

    private func sighting(_ header: FrameHeader) -> FrameSighting {
        FrameSighting(
            direction: direction, opcode: header.opcode, isFinal: header.isFinal, isCompressed: header.isCompressed,
            length: header.length, payload: payload)
    }

    private static func unmask(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ key: MaskKey?) -> [UInt8] {
        var bytes = Array(bytes)
        if let key { bytes.withUnsafeMutableBytes { key.apply(to: $0, offset: offset) } }
        return bytes
    }
}

/// A frame that was sent or received.
struct FrameSighting: Hashable, Sendable {
    /// The frame's direction.
    enum Direction: String, Hashable, Sendable {
        /// From the server.
        case incoming = "in"
        /// To the server.
        case outgoing = "out"
    }

    var direction: Direction
    var opcode: FrameOpcode
    /// Whether this is the last frame of its message.
    var isFinal: Bool
    /// Whether the frame begins a compressed message.
    var isCompressed: Bool
    /// The size of the payload on the wire in bytes; compressed if the message is.
    var length: Int
    /// The unmasked payload of a control frame; empty for other frames.
    var payload: [UInt8] = []
}

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
