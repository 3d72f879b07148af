import ChatCenterCore
import Foundation

/// The state of a message as it is written. Names and not positions: later versions add, and never change.
struct StateRecord: Codable, Hashable, Sendable {
    private enum Kind: String, Codable {
        case received, queued, sending, unconfirmed, sent, delivered, read, failed
    }

    private var kind: Kind
    private var reading: String?
    private var sequence: Int64?
    private var queuedAt: Int64?
    private var deadlineMonotonic: Int64?
    private var deadlineWall: Int64?
    private var failure: FailureRecord?
    private var mayHaveArrived: Bool?

    init(_ state: MessageState) {
        switch state {
        case .received(let reading):
            kind = .received
            self.reading = reading.rawValue
        case .own(let delivery):
            switch delivery {
            case .queued(let entry, let deadline): self.init(.queued, entry, deadline)
            case .sending(let entry, let deadline): self.init(.sending, entry, deadline)
            case .unconfirmed(let entry, let deadline): self.init(.unconfirmed, entry, deadline)
            case .sent: kind = .sent
            case .delivered: kind = .delivered
            case .read: kind = .read
            case .failed(let failure, let mayHaveArrived):
                kind = .failed
                self.failure = FailureRecord(failure)
                self.mayHaveArrived = mayHaveArrived
            }
        }
    }

    private init(_ kind: Kind, _ entry: OutboxEntry, _ deadline: Deadline?) {
        self.kind = kind
        sequence = entry.sequence
        queuedAt = entry.queuedAt
        deadlineMonotonic = deadline?.monotonic
        deadlineWall = deadline?.wall
    }

    /// The state. Throws where a field is missing that the kind needs.
    func state() throws -> MessageState {
        switch kind {
        case .received: .received(try field(reading.flatMap(MessageState.Reading.init(rawValue:))))
        case .queued: .own(.queued(try entry(), deadline: deadline()))
        case .sending: .own(.sending(try entry(), deadline: try field(deadline())))
        case .unconfirmed: .own(.unconfirmed(try entry(), deadline: try field(deadline())))
        case .sent: .own(.sent)
        case .delivered: .own(.delivered)
        case .read: .own(.read)
        case .failed: .own(.failed(try field(failure).failure(), mayHaveArrived: try field(mayHaveArrived)))
        }
    }

    private func entry() throws -> OutboxEntry {
        OutboxEntry(sequence: try field(sequence), queuedAt: try field(queuedAt))
    }

    private func deadline() -> Deadline? {
        guard let deadlineMonotonic, let deadlineWall else { return nil }
        return Deadline(monotonic: deadlineMonotonic, wall: deadlineWall)
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
