import ChatCenterCore
import Foundation

/// The state of a message as it is written. Names and not positions: later versions add, and never change.
struct StateRecord: Codable, Hashable, Sendable {
    private enum Kind: String, Codable {
        case received, queued, sending, unconfirmed, sent, delivered, read, failed
    }

    /// A moment on both clocks. The monotonic one means nothing in another process; the core judges by the other then.
    private struct Moments: Codable, Hashable {
        var monotonic: Int64
        var wall: Int64

        init(_ deadline: Deadline) {
            monotonic = deadline.monotonic
            wall = deadline.wall
        }

        var deadline: Deadline { Deadline(monotonic: monotonic, wall: wall) }
    }

    private var kind: Kind
    private var reading: String?
    private var sequence: Int64?
    private var expires: Moments?
    private var deadline: Moments?
    private var failure: FailureRecord?
    private var mayHaveArrived: Bool?

    init(_ state: MessageState) {
        switch state {
        case .received(let reading):
            self.init(.received)
            self.reading = reading.rawValue
        case .own(.queued(let entry, let deadline)): self.init(.queued, entry, deadline)
        case .own(.sending(let entry, let deadline)): self.init(.sending, entry, deadline)
        case .own(.unconfirmed(let entry, let deadline)): self.init(.unconfirmed, entry, deadline)
        case .own(.sent): self.init(.sent)
        case .own(.delivered): self.init(.delivered)
        case .own(.read): self.init(.read)
        case .own(.failed(let failure, let mayHaveArrived)):
            self.init(.failed)
            self.failure = FailureRecord(failure)
            self.mayHaveArrived = mayHaveArrived
        }
    }

    private init(_ kind: Kind, _ entry: OutboxEntry? = nil, _ deadline: Deadline? = nil) {
        self.kind = kind
        sequence = entry?.sequence
        expires = entry.map { Moments($0.expires) }
        self.deadline = deadline.map(Moments.init)
    }

    /// The state. Throws where a field is missing that the kind needs.
    func state() throws -> MessageState {
        switch kind {
        case .received: .received(try field(reading.flatMap(MessageState.Reading.init(rawValue:))))
        case .queued: .own(.queued(try entry(), deadline: deadline?.deadline))
        case .sending: .own(.sending(try entry(), deadline: try field(deadline).deadline))
        case .unconfirmed: .own(.unconfirmed(try entry(), deadline: deadline?.deadline))
        case .sent: .own(.sent)
        case .delivered: .own(.delivered)
        case .read: .own(.read)
        case .failed: .own(.failed(try field(failure).failure(), mayHaveArrived: try field(mayHaveArrived)))
        }
    }

    private func entry() throws -> OutboxEntry {
        OutboxEntry(sequence: try field(sequence), expires: try field(expires).deadline)
    }

    private func field<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw DamagedRow() }
        return value
    }

    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

/// A row that does not hold what this program writes.
struct DamagedRow: Error {}
