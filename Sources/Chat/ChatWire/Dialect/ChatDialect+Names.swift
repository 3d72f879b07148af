// The names inside of a JSON text. The codec knows the documented ones alone; what another backend spells otherwise is
// renamed on the way in and on the way out, unknown parts too, so that those are written back as they came.
extension ChatDialect {
    /// Nothing inside of a JSON text is spelled otherwise.
    private var isPlain: Bool { envelope.isEmpty && actions.isEmpty && types.isEmpty && fields.isEmpty }

    /// A frame in the documented names.
    func read(frame: JSONObject) -> JSONObject { isPlain ? frame : renamed(frame: frame, .inward) }

    /// A REST answer in the documented names.
    func read(_ answer: JSONObject) -> JSONObject { isPlain ? answer : renamed(answer, .inward) }

    /// A frame as JSON in the backend's names.
    func written(frame: JSONObject) -> [UInt8] {
        JSONValue.object(isPlain ? frame : renamed(frame: frame, .outward)).bytes
    }

    /// A REST answer as JSON in the backend's names.
    func written(_ answer: JSONObject) -> [UInt8] {
        JSONValue.object(isPlain ? answer : renamed(answer, .outward)).bytes
    }

    private enum Direction {
        case inward
        case outward
    }

    private func name(_ text: String, _ names: WireNames, _ direction: Direction) -> String {
        direction == .inward ? names.inward(text) : names.outward(text)
    }

    private func renamed(frame: JSONObject, _ direction: Direction) -> JSONObject {
        var result = JSONObject()
        frame.forEach { key, value in
            let renamedKey = name(key, envelope, direction)
            switch (direction == .inward ? renamedKey : key, value) {
            case ("action", .string(let action)): result[renamedKey] = .string(name(action, actions, direction))
            case ("data", _): result[renamedKey] = renamed(value, direction)
            default: result[renamedKey] = value
            }
        }
        return result
    }

    private func renamed(_ value: JSONValue, _ direction: Direction) -> JSONValue {
        switch value {
        case .object(let object): .object(renamed(object, direction))
        case .array(let elements): .array(elements.map { renamed($0, direction) })
        default: value
        }
    }

    private func renamed(_ object: JSONObject, _ direction: Direction) -> JSONObject {
        var result = JSONObject()
        object.forEach { key, value in
            let renamedKey = name(key, fields, direction)
            switch (direction == .inward ? renamedKey : key, value) {
            case ("type", .string(let type)): result[renamedKey] = .string(name(type, types, direction))
            // The host application's own map: its keys are nobody's names.
            case ("data", _): result[renamedKey] = value
            default: result[renamedKey] = renamed(value, direction)
            }
        }
        return result
    }
}

/// How a backend spells the documented names. A name that is not listed is spelled as documented.
///
/// The two directions undo each other for every name, also where a backend uses a documented name for something else:
/// such a name is set apart while it is on this side.
package struct WireNames: Hashable, Sendable {
    private var theirs: [String: String] = [:]
    private var ours: [String: String] = [:]

    /// Set before a name that means something else here.
    private static let apart = "dialect:"

    /// `names` from the documented spelling to the backend's. Of two that would have one spelling the first counts.
    package init(_ names: KeyValuePairs<String, String> = [:]) {
        for (documented, spelled) in names
        where documented != spelled && theirs[documented] == nil && ours[spelled] == nil {
            theirs[documented] = spelled
            ours[spelled] = documented
        }
    }

    /// Everything is spelled as documented.
    package var isEmpty: Bool { theirs.isEmpty }

    /// The documented spelling of a backend's name.
    package func inward(_ name: String) -> String {
        if let documented = ours[name] { return documented }
        return theirs[name] != nil || !isEmpty && name.hasPrefix(Self.apart) ? Self.apart + name : name
    }

    /// The backend's spelling of a documented name.
    package func outward(_ name: String) -> String {
        if let spelled = theirs[name] { return spelled }
        return !isEmpty && name.hasPrefix(Self.apart) ? String(name.dropFirst(Self.apart.count)) : name
    }
}
