import ChatServerCore
import HoldfastTrust

extension ScriptReader {
    /// Parses an action; returns `nil` if it is invalid.
    mutating func action(_ node: JSONNode, _ path: String) -> ScriptAction? {
        var fields = object(node, path)
        _ = string("comment", &fields)
        let name: ScriptActionName? = choice("action", &fields, isRequired: true)
        // Without a name, the set of valid keys is unknown.
        guard let name else { return nil }
        let action = self.action(name, &fields)
        finish(fields)
        return action
    }

    private mutating func action(_ name: ScriptActionName, _ fields: inout ScriptFields) -> ScriptAction? {
        switch name {
        case .schedule, .attachmentSettings, .settings: return settings(name, &fields)
        case .tokens: return tokens(&fields)
        case .identity:
            let scenario: CertificateScenario? = choice("scenario", &fields, isRequired: true)
            return scenario.map { .identity($0.rawValue) }
        case .network:
            return .network(
                NetworkConditions(
                    latency: milliseconds("latency", &fields) ?? 0,
                    lossPercent: integer("loss", &fields, 0...100) ?? 0,
                    duplicatePercent: integer("duplicates", &fields, 0...100) ?? 0))
        case .fault:
            let times = integer("times", &fields, 1...1_000) ?? 1
            return fault(&fields).map { .plan($0, times: Int(times)) }
        case .close:
            let target = target(&fields)
            let code = closeCode(&fields)
            let reason = string("reason", &fields, limit: 123) ?? ""
            return code.map { .close(code: $0, reason: reason, target) }
        case .cut:
            return .cut(target(&fields))
        default:
            let target = target(&fields)
            return operatorAction(name, &fields).map { .act($0, target) }
        }
    }

    /// Returns the target client: by id, `*` for all clients, or the client that triggered the step.
    private mutating func target(_ fields: inout ScriptFields) -> ScriptTarget {
        switch string("client", &fields, limit: 256) {
        case nil: .trigger
        case "*": .everyone
        case let clientID?: .client(clientID)
        }
    }

    private mutating func operatorAction(
        _ name: ScriptActionName, _ fields: inout ScriptFields
    ) -> OperatorAction? {
        switch name {
        case .say: return message(&fields).map { .writes($0) }
        case .type: return .types
        case .receive: return .receives
        case .read: return .reads
        case .edit:
            let message = messageName(&fields, OperatorAction.lastOfOperator)
            return string("text", &fields, isRequired: true).map { .edits(message: message, text: $0) }
        case .delete: return .deletes(message: messageName(&fields, OperatorAction.lastOfOperator))
        case .files:
            let message = messageName(&fields, OperatorAction.lastOfClient)
            return attachments(&fields).map { .updatesAttachments(message: message, $0) }
        case .transcribe:
            return .transcribes(
                message: messageName(&fields, OperatorAction.lastOfClient),
                status: string("status", &fields, limit: 64), text: string("text", &fields))
        case .join: return joiner(&fields).map { .joins($0) }
        case .leave: return .leaves
        case .announce:
            let text = string("text", &fields)
            let notice: ThreadNotice? = choice("notice", &fields, isRequired: true)
            return notice.map { .announces($0, text: text) }
        case .requestClose: return .requestsClose(hideAfter: integer("hideAfter", &fields, 0...(.max)))
        case .survey:
            let asButtons = bool("buttons", &fields) ?? false
            return survey(&fields).map { .surveys($0, asButtons: asButtons) }
        case .closeThread: return .closesThread
        case .block: return .blocks(text: string("text", &fields))
        case .unblock: return .unblocks(text: string("text", &fields))
        case .personalData: return .informsOfProcessing(text: string("text", &fields))
        case .push:
            let isKept = bool("keep", &fields) ?? true
            return rawContent(&fields).map { .pushes($0, isKept: isKept) }
        default: return nil
        }
    }

    private mutating func messageName(_ fields: inout ScriptFields, _ standard: String) -> String {
        string("message", &fields, limit: 256) ?? standard
    }

    private mutating func tokens(_ fields: inout ScriptFields) -> ScriptAction? {
        let anyone = bool("anyone", &fields) ?? false
        let valid = strings("valid", &fields)
        let expired = strings("expired", &fields)
        guard anyone != (valid != nil) else {
            problem(
                .invalidValue, "expected either \"anyone\": true or a list \"valid\"", fields.path,
                fields.node.position)
            return nil
        }
        return .access(valid.map { .tokens(valid: $0, expired: expired ?? []) } ?? .anyone)
    }

    private mutating func strings(_ key: String, _ fields: inout ScriptFields) -> [String]? {
        guard let node = fields[key] else { return nil }
        let path = fields.path(of: key)
        return array(node, path, limit: 1_000).enumerated().compactMap { index, element in
            guard case .string(let text) = element.value else {
                wrongType("a string", element, "\(path)[\(index)]")
                return nil
            }
            return text
        }
    }

    /// Parses a code that a close frame may contain (RFC 6455, section 7.4).
    private mutating func closeCode(_ fields: inout ScriptFields) -> UInt16? {
        guard let code = integer("code", &fields, 1_000...4_999, isRequired: true), let node = fields["code"] else {
            return nil
        }
        guard (1_000...1_003).contains(code) || (1_007...1_014).contains(code) || code >= 3_000 else {
            problem(.invalidValue, "\(code) is not a valid close code", fields.path(of: "code"), node.position)
            return nil
        }
        return UInt16(code)
    }
}

/// The names of the actions, in scripts and in the operators' interface.
enum ScriptActionName: String, CaseIterable {
    // A conversation.
    case say, type, receive, read, edit, delete, files, transcribe, join, leave, announce, requestClose, survey
    case closeThread, block, unblock, personalData, push
    // The server.
    case schedule, attachmentSettings, settings, tokens, identity, network, fault
    // Connections.
    case close, cut
}
