// The names inside JSON text. The codec uses only the documented names. The names of another backend are translated in
// both directions. Unknown parts are translated too, so that they are written back unchanged.
extension ChatDialect {
    /// Whether all names inside JSON text are the documented ones.
    private var isPlain: Bool { envelope.isEmpty && actions.isEmpty && types.isEmpty && fields.isEmpty }

    /// Returns a frame with the documented names.
    func read(frame: JSONObject) -> JSONObject { isPlain ? frame : renamed(frame: frame, .inward) }

    /// Returns a REST answer with the documented names.
    func read(_ answer: JSONObject) -> JSONObject { isPlain ? answer : renamed(answer, .inward) }

    /// Returns a frame as JSON with the backend's names.
    func written(frame: JSONObject) -> [UInt8] {
        JSONValue.object(isPlain ? frame : renamed(frame: frame, .outward)).bytes
    }

    /// Returns a REST answer as JSON with the backend's names.
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
            // The host application's own map: its keys are not protocol names.
            case ("data", _): result[renamedKey] = value
            default: result[renamedKey] = renamed(value, direction)
            }
        }
        return result
    }
}

/// A backend's spelling of the documented names. Names that are not listed have the documented spelling.
///
/// The two directions are inverse for every name. If a backend uses a documented name with another meaning, the name
/// gets a prefix on this side.
package struct WireNames: Hashable, Sendable {
    private var theirs: [String: String] = [:]
    private var ours: [String: String] = [:]

    /// The prefix of a name that has another meaning in this protocol.
    private static let apart = "dialect:"

    /// Creates a mapping.
    ///
    /// - Parameter names: The documented names with the backend's spellings. If two names map to the same spelling, the
    /// first one is used.
    package init(_ names: KeyValuePairs<String, String> = [:]) {
        for (documented, spelled) in names
        where documented != spelled && theirs[documented] == nil && ours[spelled] == nil {
            theirs[documented] = spelled
            ours[spelled] = documented
        }
    }

    /// Whether all names have the documented spelling.
    package var isEmpty: Bool { theirs.isEmpty }

    /// Returns the documented name for a backend's name.
    package func inward(_ name: String) -> String {
        if let documented = ours[name] { return documented }
        return theirs[name] != nil || !isEmpty && name.hasPrefix(Self.apart) ? Self.apart + name : name
    }

    /// Returns the backend's name for a documented name.
    package func outward(_ name: String) -> String {
        if let spelled = theirs[name] { return spelled }
        return !isEmpty && name.hasPrefix(Self.apart) ? String(name.dropFirst(Self.apart.count)) : name
    }
}
