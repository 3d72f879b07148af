import ChatWire
import Foundation

extension JSONObject {
    /// The parts of a notification that JSON can hold, in the order of their keys. How deep it is read is limited; a
    /// notification comes from a server.
    init(userInfo: [AnyHashable: Any]) {
        self = Self.object(userInfo, depth: 0)
    }

    private static let maximumDepth = 8

    private static func object(_ members: [AnyHashable: Any], depth: Int) -> JSONObject {
        var object = JSONObject()
        let named = members.compactMap { key, value in (key.base as? String).map { ($0, value) } }
        for (key, member) in named.sorted(by: { $0.0 < $1.0 }) {
            if let value = value(member, depth: depth + 1) { object[key] = value }
        }
        return object
    }

    private static func value(_ value: Any, depth: Int) -> JSONValue? {
        guard depth <= maximumDepth else { return nil }
        switch value {
        case let text as String: return .string(text)
        case let truth as Bool: return .bool(truth)
        case let number as Int: return .integer(Int64(number))
        case let object as [AnyHashable: Any]: return .object(Self.object(object, depth: depth))
        case let elements as [Any]: return .array(elements.compactMap { Self.value($0, depth: depth + 1) })
        default: return nil
        }
    }
}
