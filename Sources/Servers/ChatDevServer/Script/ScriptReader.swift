import ChatServerCore
import HoldfastBase
import HoldfastTrust

/// Parses scripts and single actions. Continues after errors: ``problems`` contains all of them.
struct ScriptReader {
    private(set) var problems: [ScriptProblem] = []
    /// The maximum number of problems that are listed. Further ones are not listed.
    private static let mostProblems = 100

    // MARK: Documents

    mutating func script(_ bytes: [UInt8]) -> ServerScript {
        var script = ServerScript()
        guard bytes.count <= ChatServerScript.maximumBytes else {
            problem(.tooMany, "a script has at most \(ChatServerScript.maximumBytes) bytes", "", .start)
            return script
        }
        guard let node = parse(bytes) else { return script }
        var fields = object(node, "")
        switch fields["holdfastScript"] {
        case let version? where version.value == .number("1"): break
        case let version?: problem(.version, "only version 1 is supported", "holdfastScript", version.position)
        case nil:
            if case .object = node.value {
                problem(
                    .version, "the key \"holdfastScript\" with the format's version, 1, is missing", "", node.position)
            }
        }
        _ = string("$schema", &fields, limit: 1_000)
        _ = string("comment", &fields)
        if let list = self.node("steps", &fields) {
            for (index, step) in array(list, "steps", limit: ChatServerScript.maximumSteps).enumerated() {
                if let step = self.step(step, "steps[\(index)]") { script.steps.append(step) }
            }
        }
        finish(fields)
        return script
    }

    /// Parses one action or a list of actions, as the operators' interface receives them.
    mutating func actions(_ bytes: [UInt8]) -> [ScriptAction] {
        guard let node = parse(bytes) else { return [] }
        return actions(node, "")
    }

    mutating func parse(_ bytes: [UInt8]) -> JSONNode? {
        do throws(JSONFault) {
            return try JSONReader.read(bytes)
        } catch {
            problem(.json, error.reason, "", error.position)
            return nil
        }
    }

    // MARK: Steps

    private mutating func step(_ node: JSONNode, _ path: String) -> ScriptStep? {
        var fields = object(node, path)
        _ = string("comment", &fields)
        let kind: ScriptTrigger.Kind? = choice("on", &fields, isRequired: true)
        var trigger = ScriptTrigger(kind ?? .start)
        if let kind { conditions(of: kind, &trigger, &fields) }
        let delay = milliseconds("after", &fields) ?? 0
        var times: Int? = 1
        if let value = fields["times"] {
            if value.value == .string("always") {
                times = nil
            } else {
                times = integer(value, fields.path(of: "times"), 1...1_000_000).map(Int.init)
            }
        }
        var actions: [ScriptAction] = []
        if let value = self.node("do", &fields) { actions = self.actions(value, fields.path(of: "do")) }
        finish(fields)
        guard kind != nil else { return nil }
        return ScriptStep(trigger, delay: delay, times: times, actions: actions)
    }

    /// Parses the conditions of an event; each kind has its own keys.
    private mutating func conditions(
        of kind: ScriptTrigger.Kind, _ trigger: inout ScriptTrigger, _ fields: inout ScriptFields
    ) {
        if kind == .frame, let value = fields["frame"] { trigger.name = frameName(value, fields.path(of: "frame")) }
        if kind == .call {
            let name: CallName? = choice("call", &fields)
            trigger.name = name?.rawValue
        }
        if kind == .message || kind == .frame || kind == .typing {
            trigger.text = string("contains", &fields, limit: 4_000)
        }
        if kind != .start && kind != .upgrade { trigger.clientID = string("client", &fields, limit: 256) }
        if kind != .start, let value = fields["count"] {
            trigger.count = integer(value, fields.path(of: "count"), 1...1_000_000).map(Int.init) ?? 1
        }
    }

    private mutating func actions(_ node: JSONNode, _ path: String) -> [ScriptAction] {
        guard case .array(let list) = node.value else { return action(node, path).map { [$0] } ?? [] }
        guard list.count <= ChatServerScript.maximumActions else {
            problem(.tooMany, "at most \(ChatServerScript.maximumActions) actions are allowed", path, node.position)
            return []
        }
        return list.enumerated().compactMap { action($1, "\(path)[\($0)]") }
    }

    // MARK: Values

    mutating func object(_ node: JSONNode, _ path: String) -> ScriptFields {
        if case .object = node.value {
        } else {
            wrongType("an object", node, path)
        }
        return ScriptFields(node, path: path)
    }

    /// Reports the members that were not read.
    mutating func finish(_ fields: ScriptFields) {
        for member in fields.unknown {
            problem(.unknownKey, "unknown key \"\(Printable.text(member.key))\"", fields.path, member.position)
        }
    }

    mutating func array(_ node: JSONNode, _ path: String, limit: Int) -> [JSONNode] {
        guard case .array(let list) = node.value else {
            wrongType("an array", node, path)
            return []
        }
        guard list.count <= limit else {
            problem(.tooMany, "at most \(limit) elements are allowed, but there are \(list.count)", path, node.position)
            return []
        }
        return list
    }

    mutating func string(
        _ key: String, _ fields: inout ScriptFields, isRequired: Bool = false, limit: Int = 16_384
    ) -> String? {
        guard let node = node(key, &fields, isRequired: isRequired) else { return nil }
        guard case .string(let text) = node.value else { return mistyped("a string", node, fields.path(of: key)) }
        guard text.utf8.count <= limit else {
            problem(.tooMany, "the text has more than \(limit) bytes", fields.path(of: key), node.position)
            return nil
        }
        return text
    }

    mutating func bool(_ key: String, _ fields: inout ScriptFields) -> Bool? {
        guard let node = fields[key] else { return nil }
        guard case .bool(let value) = node.value else { return mistyped("true or false", node, fields.path(of: key)) }
        return value
    }

    mutating func integer(_ node: JSONNode, _ path: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard case .number(let text) = node.value, let value = Int64(text) else {
            return mistyped("a whole number", node, path)
        }
        guard range.contains(value) else {
            problem(
                .invalidValue, "expected a number from \(range.lowerBound) to \(range.upperBound)", path,
                node.position)
            return nil
        }
        return value
    }

    mutating func integer(
        _ key: String, _ fields: inout ScriptFields, _ range: ClosedRange<Int64>, isRequired: Bool = false
    ) -> Int64? {
        guard let node = node(key, &fields, isRequired: isRequired) else { return nil }
        return integer(node, fields.path(of: key), range)
    }

    /// Parses milliseconds up to one day, and returns nanoseconds.
    mutating func milliseconds(_ key: String, _ fields: inout ScriptFields, isRequired: Bool = false) -> Int64? {
        integer(key, &fields, 0...86_400_000, isRequired: isRequired).map { $0 * 1_000_000 }
    }

    /// Parses one of a fixed set of names.
    mutating func choice<T: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ fields: inout ScriptFields, isRequired: Bool = false
    ) -> T? {
        guard let text = string(key, &fields, isRequired: isRequired), let node = fields[key] else { return nil }
        if let value = T(rawValue: text) { return value }
        unknownName(text, T.allCases.map(\.rawValue), fields.path(of: key), node)
        return nil
    }

    mutating func unknownName(_ text: String, _ names: [String], _ path: String, _ node: JSONNode) {
        problem(
            .invalidValue, "\"\(Printable.text(text))\" must be one of: \(names.joined(separator: ", "))", path,
            node.position)
    }

    /// Returns the value of a key. Reports the key as missing if it is required.
    mutating func node(_ key: String, _ fields: inout ScriptFields, isRequired: Bool = true) -> JSONNode? {
        let node = fields[key]
        if node == nil, isRequired { missing(key, fields) }
        return node
    }

    mutating func missing(_ key: String, _ fields: ScriptFields) {
        guard case .object = fields.node.value else { return }
        problem(.missingKey, "the key \"\(key)\" is missing", fields.path, fields.node.position)
    }

    /// Reports a value of the wrong type, and returns `nil`.
    mutating func mistyped<Value>(_ wanted: String, _ node: JSONNode, _ path: String) -> Value? {
        wrongType(wanted, node, path)
        return nil
    }

    mutating func wrongType(_ wanted: String, _ node: JSONNode, _ path: String) {
        problem(.wrongType, "expected \(wanted), but found \(node.kind)", path, node.position)
    }

    mutating func problem(_ code: ScriptProblem.Code, _ reason: String, _ path: String, _ position: SourcePosition) {
        guard problems.count < Self.mostProblems else { return }
        problems.append(
            ScriptProblem(
                code: code, reason: reason, path: path, line: position.line, column: position.column))
    }
}

/// The members of an object in a script. Records which of them were read.
struct ScriptFields {
    let node: JSONNode
    let path: String
    private let members: [JSONNode.Member]
    private var asked: Set<String> = []

    init(_ node: JSONNode, path: String) {
        self.node = node
        self.path = path
        if case .object(let members) = node.value { self.members = members } else { members = [] }
    }

    subscript(key: String) -> JSONNode? {
        mutating get {
            asked.insert(key)
            return members.first { $0.key == key }?.value
        }
    }

    /// Returns the path of a member in the document.
    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The members that were not read.
    var unknown: [JSONNode.Member] { members.filter { !asked.contains($0.key) } }

    /// Returns all members and marks them as read.
    mutating func takeAll() -> [JSONNode.Member] {
        asked.formUnion(members.map(\.key))
        return members
    }
}
