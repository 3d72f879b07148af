import ChatServerCore
import ChatWire

/// Passes values unchanged, or encodes them to JSON and decodes them again.
struct JSONRoundTrip {
    /// Whether values are encoded and decoded.
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
        // A frame in an older form of the protocol decodes to the current form, so the values differ.
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
            // The retry time is sent in a header, which the codec does not read.
            return .refused(status: code, failure, retryAfterMilliseconds: seconds * 1000)
        case .permitted:
            // Answers to transfers do not pass here.
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
    /// Whether the frame contains a JSON object that is decoded later.
    fileprivate var hasOlderForm: Bool {
        guard case .messages(let messages) = body else { return false }
        return messages.contains { if case .unknown = $0.content.body { true } else { false } }
    }
}
