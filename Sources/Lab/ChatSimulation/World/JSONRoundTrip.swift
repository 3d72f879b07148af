import ChatServerCore
import ChatWire

/// Typed values, or the same values through their JSON text and back.
struct JSONRoundTrip {
    /// Everything goes through the codec.
    private let isUsed: Bool

    init(isUsed: Bool) {
        self.isUsed = isUsed
    }

    func pass(_ frame: ClientFrame, _ record: inout RunRecord) -> ClientFrame {
        guard isUsed else { return frame }
        do throws(WireError) {
            let read = try ClientFrame(parsing: frame.bytes)
            if read != frame { record.complain(.codec, "\(frame) became \(read)") }
            return read
        } catch {
            record.complain(.codec, "\(frame) cannot be read: \(error)")
            return frame
        }
    }

    func pass(_ frame: ServerFrame, _ record: inout RunRecord) -> ServerFrame {
        // What the server has put into an older form has that form on the wire alone.
        guard isUsed || frame.hasOlderForm else { return frame }
        do throws(WireError) {
            let read = try ServerFrame(parsing: frame.bytes)
            if read != frame, !frame.hasOlderForm { record.complain(.codec, "\(frame) became \(read)") }
            return read
        } catch {
            record.complain(.codec, "\(frame) cannot be read: \(error)")
            return frame
        }
    }

    func restAnswer(
        _ answer: ServerAnswer, to request: RESTRequest, _ record: inout RunRecord
    ) -> RESTAnswer {
        let typed: RESTAnswer
        let bytes: [UInt8]
        var status = 200
        switch answer {
        case .configuration(let answer): (typed, bytes) = (.configuration(answer), bytesIfUsed { answer.bytes })
        case .history(let answer): (typed, bytes) = (.history(answer), bytesIfUsed { answer.bytes })
        case .unread(let answer): (typed, bytes) = (.unread(answer), bytesIfUsed { answer.bytes })
        case .search(let answer): (typed, bytes) = (.search(answer), bytesIfUsed { answer.bytes })
        case .deviceDeleted: (typed, bytes, status) = (.deviceDeleted, [], 204)
        case .failure(let code, let failure):
            status = code
            typed = .refused(status: code, failure, retryAfterMilliseconds: nil)
            bytes = bytesIfUsed { failure.bytes }
        case .refused(let code, let failure, let seconds):
            // The time to come again is a header's, and no part of what the codec reads.
            return .refused(status: code, failure, retryAfterMilliseconds: seconds * 1000)
        case .permitted:
            // The answer to a transfer, which does not come this way.
            return .refused(status: 500, nil, retryAfterMilliseconds: nil)
        }
        guard isUsed else { return typed }
        let read = RESTAnswer(to: request, status: status, body: bytes)
        if read != typed { record.complain(.codec, "\(typed) became \(read)") }
        return read
    }

    private func bytesIfUsed(_ bytes: () -> [UInt8]) -> [UInt8] { isUsed ? bytes() : [] }
}

extension ServerFrame {
    /// It carries a content as an object that is yet to be read.
    fileprivate var hasOlderForm: Bool {
        guard case .messages(let messages) = body else { return false }
        return messages.contains { if case .unknown = $0.content.body { true } else { false } }
    }
}
