import HoldfastBase
import ChatServerCore
import ChatWire
import HoldfastTrust

/// Parses objects of the protocol in scripts. The protocol's own reader is lenient, as a client must be. Here, whatever
/// it would ignore is an error.
extension ScriptReader {
    private static let messageKeys = [
        "uuid", "text", "formattedText", "attachments", "quotes", "quickReplies", "settings", "operator", "display",
        "massPushMessage", "personalOffer", "speechStatus", "speechText",
    ]

    /// Parses an operator's message.
    mutating func message(_ fields: inout ScriptFields) -> Content? {
        content(type: "MESSAGE", Self.messageKeys, &fields)
    }

    /// Parses any content, including content that a server should not send.
    mutating func rawContent(_ fields: inout ScriptFields) -> Content? {
        guard let node = node("content", &fields) else { return nil }
        guard case .object(let members) = node.value else {
            return mistyped("an object", node, fields.path(of: "content"))
        }
        guard members.contains(where: { $0.key == "type" }) else {
            problem(.missingKey, "the key \"type\" is missing", fields.path(of: "content"), node.position)
            return nil
        }
        return Self.value(node).map { Content($0) }
    }

    mutating func attachments(_ fields: inout ScriptFields) -> [Attachment]? {
        guard node("attachments", &fields) != nil else { return nil }
        return content(type: "MESSAGE", ["attachments"], &fields)?.attachments
    }

    mutating func joiner(_ fields: inout ScriptFields) -> Operator? {
        guard node("operator", &fields) != nil else { return nil }
        return content(type: "OPERATOR_JOINED", ["operator"], &fields)?.operator
    }

    mutating func survey(_ fields: inout ScriptFields) -> Survey? {
        let node = node("survey", &fields)
        guard case .survey(let survey)? = wrapped(node, "survey", type: "SURVEY", fields)?.body, let node else {
            return nil
        }
        let path = fields.path(of: "survey")
        var isSound = nothingLeft(survey.extra, node, path)
        let questions = Self.member("questions", of: node)
        isSound = all(survey.questions.count, questions, "\(path).questions") && isSound
        for (index, question) in survey.questions.enumerated() {
            guard let element = Self.element(index, of: questions) else { continue }
            let place = "\(path).questions[\(index)]"
            isSound = nothingLeft(question.extra, element, place) && isSound
            isSound = all(question.buttons.count, Self.member("buttons", of: element), "\(place).buttons") && isSound
        }
        return isSound ? survey : nil
    }

    /// Parses settings for all clients.
    mutating func settings(_ name: ScriptActionName, _ fields: inout ScriptFields) -> ScriptAction? {
        switch name {
        case .schedule:
            let node = node("schedule", &fields)
            guard case .schedule(let schedule)? = wrapped(node, "schedule", type: "SCHEDULE", fields)?.body, let node,
                nothingLeft(schedule.extra, node, fields.path(of: "schedule")),
                all(
                    schedule.intervals.count, Self.member("intervals", of: node),
                    fields.path(of: "schedule") + ".intervals")
            else { return nil }
            return .settings(.schedule(schedule))
        case .attachmentSettings:
            let node = node("settings", &fields)
            let content = wrapped(node, "settings", type: "ATTACHMENT_SETTINGS", fields)
            guard case .attachmentSettings(let settings)? = content?.body, let node,
                nothingLeft(settings.extra, node, fields.path(of: "settings"))
            else { return nil }
            return .settings(.attachments(settings))
        default: return configuration(&fields)
        }
    }

    private mutating func configuration(_ fields: inout ScriptFields) -> ScriptAction? {
        var object = JSONObject()
        let parts = ["settings", "channelConfig"].map { ($0, fields[$0]) }
        for (key, node) in parts { object[key] = node.flatMap { Self.value($0) } }
        let content = Content(.object(["type": "SETTINGS_UPDATED", "content": .object(object)]))
        guard case .settingsUpdated(let update) = content.body else { return nil }
        var isSound = true
        for (key, node) in parts {
            guard let node else { continue }
            let extra = key == "settings" ? update.settings?.extra : update.channelConfig?.extra
            guard let extra else {
                wrongType("an object", node, fields.path(of: key))
                isSound = false
                continue
            }
            isSound = nothingLeft(extra, node, fields.path(of: key)) && isSound
        }
        return isSound ? .settings(.update(update)) : nil
    }

    // MARK: Strictness

    /// Parses a content from some keys of an action; returns `nil` if the protocol's reader would ignore something.
    private mutating func content(type: String, _ keys: [String], _ fields: inout ScriptFields) -> Content? {
        var object: JSONObject = ["type": .string(type)]
        var nodes: [(key: String, node: JSONNode)] = []
        for key in keys {
            guard let node = fields[key] else { continue }
            nodes.append((key, node))
            object[key] = Self.value(node)
        }
        let content = Content(.object(object))
        var isSound = true
        for (key, node) in nodes {
            let path = fields.path(of: key)
            if content.extra[key] != nil {
                problem(.wrongType, "the protocol does not allow this value here", path, node.position)
                isSound = false
                continue
            }
            switch key {
            case "operator": isSound = nothingLeft(content.operator?.extra, node, path) && isSound
            case "settings": isSound = nothingLeft(content.settings?.extra, node, path) && isSound
            case "attachments": isSound = list(content.attachments.map(\.extra), node, path) && isSound
            case "quickReplies": isSound = list(content.quickReplies.map(\.extra), node, path) && isSound
            default: break
            }
        }
        return isSound ? content : nil
    }

    /// Parses a content that wraps its own object in `content`.
    private mutating func wrapped(
        _ node: JSONNode?, _ key: String, type: String, _ fields: ScriptFields
    ) -> Content? {
        guard let node else { return nil }
        guard case .object = node.value, let value = Self.value(node) else {
            return mistyped("an object", node, fields.path(of: key))
        }
        return Content(.object(["type": .string(type), "content": value]))
    }

    private mutating func list(_ extras: [JSONObject], _ list: JSONNode, _ path: String) -> Bool {
        var isSound = all(extras.count, list, path)
        for (index, extra) in extras.enumerated() {
            guard let element = Self.element(index, of: list) else { continue }
            isSound = nothingLeft(extra, element, "\(path)[\(index)]") && isSound
        }
        return isSound
    }

    /// Reports what the protocol's reader has ignored: unknown keys and values of the wrong type.
    private mutating func nothingLeft(_ extra: JSONObject?, _ node: JSONNode, _ path: String) -> Bool {
        guard let extra, case .object(let members) = node.value else { return true }
        for member in members where extra[member.key] != nil {
            problem(
                .invalidValue,
                "the protocol does not allow the key \"\(Printable.text(member.key))\" with this value here", path,
                member.position)
        }
        return extra.isEmpty
    }

    /// Reports elements that the protocol's reader has ignored.
    private mutating func all(_ count: Int, _ list: JSONNode?, _ path: String) -> Bool {
        guard let list, case .array(let elements) = list.value, elements.count != count else { return true }
        problem(.invalidValue, "an element is invalid", path, list.position)
        return false
    }

    private static func member(_ key: String, of node: JSONNode) -> JSONNode? {
        guard case .object(let members) = node.value else { return nil }
        return members.first { $0.key == key }?.value
    }

    private static func element(_ index: Int, of node: JSONNode?) -> JSONNode? {
        guard case .array(let elements)? = node?.value, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Returns the value without positions. The JSON parser has limited the depth.
    private static func value(_ node: JSONNode) -> JSONValue? {
        switch node.value {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .number(let digits): return try? JSONValue(parsing: digits)
        case .string(let text): return .string(text)
        case .array(let elements): return .array(elements.compactMap { value($0) })
        case .object(let members):
            var object = JSONObject()
            for member in members { object[member.key] = value(member.value) }
            return .object(object)
        }
    }
}
