import Foundation
import HoldfastFormats
import HoldfastTrust

extension PropertyNode {
    /// How deep a configuration may be nested; TrustKit's own has five levels.
    private static let depthLimit = 16

    /// A configuration in memory as the readers of policy formats take it. Members are put in the order of their keys.
    ///
    /// Throws every value that has no place in a property list, with its path.
    init(configuration: [String: Any]) throws(PolicyError) {
        var problems: [PolicyError.Problem] = []
        self = PropertyNode.node(configuration, at: "", depth: 0, &problems)
        guard problems.isEmpty else { throw PolicyError(problems: problems) }
    }

    private static func node(
        _ value: Any, at path: String, depth: Int, _ problems: inout [PolicyError.Problem]
    ) -> PropertyNode {
        guard depth < depthLimit else {
            problems.append(.init(path: path, reason: "there are more than \(depthLimit) levels"))
            return PropertyNode(.null)
        }
        switch value {
        case let text as String: return PropertyNode(.string(text))
        case let flag as Bool: return PropertyNode(.bool(flag))
        case let number as Int: return PropertyNode(.integer(Int64(number)))
        case let date as Date:
            guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) else { break }
            return PropertyNode(.date(Timestamp(secondsSince1970: seconds)))
        case let data as Data: return PropertyNode(.data(Array(data)))
        case let members as [String: Any]:
            return PropertyNode(
                .dictionary(
                    members.sorted { $0.key < $1.key }.map { key, value in
                        Member(
                            key: key,
                            value: node(value, at: path.isEmpty ? key : "\(path).\(key)", depth: depth + 1, &problems))
                    }))
        case let values as [Any]:
            return PropertyNode(
                .array(
                    values.enumerated().map { index, value in
                        node(value, at: "\(path)[\(index)]", depth: depth + 1, &problems)
                    }))
        default: break
        }
        problems.append(.init(path: path, reason: "a value of type \(type(of: value)) has no place in a configuration"))
        return PropertyNode(.null)
    }
}
