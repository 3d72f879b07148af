import ChatServerCore
import ChatWire
import HoldfastTrust

extension ScriptReader {
    /// Parses a fault; the valid keys depend on its name.
    mutating func fault(_ fields: inout ScriptFields) -> ServerFault? {
        guard let name: ScriptFaultName = choice("fault", &fields, isRequired: true) else { return nil }
        switch name {
        case .lose: return frame(&fields).map { .lose(action: $0) }
        case .withhold: return frame(&fields).map { .withhold(action: $0) }
        case .repeatReply: return frame(&fields).map { .repeatReply(action: $0) }
        case .cutBeforeReply: return frame(&fields).map { .cutBeforeReply(action: $0) }
        case .fail:
            let failure = failure(&fields)
            return frame(&fields).map { .fail(action: $0, failure) }
        case .delay:
            let delay = milliseconds("milliseconds", &fields, isRequired: true)
            guard let frame = frame(&fields), let delay else { return nil }
            return .delayReply(action: frame, nanoseconds: delay)
        case .cut: return .cut(afterFrames: Int(integer("afterFrames", &fields, 0...1_000_000) ?? 0))
        case .repeatPush: return .repeatPush
        case .losePush: return .losePush
        case .swapPushes: return .swapPushes
        case .ignoreUpgrade: return .ignoreUpgrade
        case .refuseUpgrade:
            let failure = failure(&fields)
            let retryAfter = integer("retryAfter", &fields, 0...86_400)
            return status(&fields).map { .refuseUpgrade(UpgradeRefusal(status: $0, failure, retryAfter: retryAfter)) }
        case .failCall:
            let call: CallName? = choice("call", &fields)
            let failure = failure(&fields)
            let retryAfter = integer("retryAfter", &fields, 0...86_400)
            return status(&fields).map { .refuseCall(call, status: $0, failure, retryAfter: retryAfter) }
        case .delayCall:
            let call: CallName? = choice("call", &fields)
            return milliseconds("milliseconds", &fields, isRequired: true).map { .delayCall(call, nanoseconds: $0) }
        }
    }

    private mutating func status(_ fields: inout ScriptFields) -> Int? {
        integer("status", &fields, 400...599, isRequired: true).map(Int.init)
    }

    private mutating func failure(_ fields: inout ScriptFields) -> ErrorAnswer {
        ErrorAnswer(string("error", &fields, limit: 256) ?? "script", details: string("details", &fields, limit: 4_000))
    }

    private mutating func frame(_ fields: inout ScriptFields) -> String? {
        node("frame", &fields).flatMap { frameName($0, fields.path(of: "frame")) }
    }

    /// Parses the action of a client's frame, or the content type of a `sendMessage`.
    mutating func frameName(_ node: JSONNode, _ path: String) -> String? {
        guard case .string(let text) = node.value else { return mistyped("a string", node, path) }
        guard Self.frameNames.contains(text) else {
            unknownName(text, Self.frameNames, path, node)
            return nil
        }
        return text
    }

    static let frameNames = [
        "registerDevice", "sendMessage", "updateStatuses", "ping", "CLIENT_INFO", "INIT_CHAT", "CLIENT_OFFLINE",
        "MESSAGE", "TYPING", "SURVEY_QUESTION_ANSWER", "SURVEY_QUALITY_FORM_ANSWER", "CLOSE_THREAD", "REOPEN_THREAD",
    ]
}

/// The names of the faults.
enum ScriptFaultName: String, CaseIterable {
    case lose, withhold, fail, delay, repeatReply, cutBeforeReply, cut
    case repeatPush, losePush, swapPushes
    case ignoreUpgrade, refuseUpgrade, failCall, delayCall
}
