import ChatWire

/// JSON text with one value replaced.
struct Mutation {
    /// The path of the value, for messages.
    var path: String
    var original: JSONValue
    var replacement: JSONValue
    var result: JSONValue
    /// Whether the value is inside a map or an unknown part.
    var isOpaque: Bool

    /// The values that a faulty or hostile peer may send in place of another.
    static let replacements: [JSONValue] = [
        .null, .bool(true), .integer(-1), .integer(.max), number("1.5"), number("1e400"),
        number(String(repeating: "9", count: 5000)), "x", "", "true", "17", .array([]), .object([:]),
        .array([.null, .object([:]), .integer(1)]), .object(["type": "MESSAGE", "content": .array([])]),
    ]

    private static func number(_ text: String) -> JSONValue { (try? JSONValue(parsing: text)) ?? .null }

    /// Returns all mutations of a value: each of its parts replaced by each of the replacements, one at a time.
    static func all(of value: JSONValue, path: String = "", isOpaque: Bool = false) -> [Mutation] {
        var all = replacements.filter { $0 != value }.map {
            Mutation(path: path, original: value, replacement: $0, result: $0, isOpaque: isOpaque)
        }
        switch value {
        case .object(let object):
            let isUnknown = object["type"] == "HOLOGRAM"
            object.forEach { key, member in
                let inner =
                    isOpaque || isUnknown || ["agentInfo", "steps", "colour"].contains(key) || path + key == "data"
                for mutation in Mutation.all(of: member, path: path + "." + key, isOpaque: inner) {
                    var changed = object
                    changed[key] = mutation.result
                    all.append(mutation.with(.object(changed)))
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                for mutation in Mutation.all(of: element, path: "\(path)[\(index)]", isOpaque: isOpaque) {
                    var changed = elements
                    changed[index] = mutation.result
                    all.append(mutation.with(.array(changed)))
                }
            }
        default: break
        }
        return all
    }

    private func with(_ result: JSONValue) -> Mutation {
        var mutation = self
        mutation.result = result
        return mutation
    }

    /// Returns whether `written` contains everything that `read` contains, except `null`, empty values and other
    /// spellings that the protocol tolerates (Booleans and numbers as text, times as numbers).
    static func covers(_ written: JSONValue?, _ read: JSONValue) -> Bool {
        guard let written else { return read == .null || read == .array([]) || read == .object([:]) }
        if written == read { return true }
        switch (written, read) {
        case (.object(let written), .object(let read)):
            var isCovered = true
            read.forEach { key, value in isCovered = isCovered && covers(written[key], value) }
            return isCovered
        case (.array(let written), .array(let read)):
            return read.allSatisfy { element in written.contains { covers($0, element) } || element == .null }
        case (_, .null): return true
        default:
            if let number = read.integerValue {
                return written.stringValue == String(number) || written.integerValue == number
                    || written.stringValue.flatMap(WireTime.milliseconds)
                        == min(max(number, WireTime.earliest), WireTime.latest)
            }
            if let truth = read.boolValue { return written.boolValue == truth }
            // The values of a failure become strings.
            return written.stringValue == read.text
        }
    }
}
