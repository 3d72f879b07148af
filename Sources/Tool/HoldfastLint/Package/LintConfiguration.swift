import HoldfastBase
import HoldfastTrust

/// The contents of a package's `holdfast-lint.json`: what to check, and how.
///
/// An unknown key is an error, because a misspelled key would otherwise switch off a check without notice.
package struct LintConfiguration: Hashable, Sendable {
    /// The name of the file, in the package's folder.
    package static let fileName = "holdfast-lint.json"
    /// The maximum size of the file in bytes.
    ///
    /// - Error: exit code 2
    package static let sizeLimit = 1 << 20
    /// The maximum number of patterns in a list.
    ///
    /// - Error: exit code 2
    package static let patternLimit = 1_000

    /// The files to check; `nil` for those that ``PinFile`` recognizes.
    package private(set) var files: [PathPattern]?
    /// The folders of certificates that the package ships.
    package private(set) var certificates: [PathPattern] = []
    /// Files and folders to leave out.
    package private(set) var exclude: [PathPattern] = []
    /// The notice before an expiry, in days.
    package private(set) var withinDays: Int?
    /// Whether a note is a reason to fail as well.
    package private(set) var strict = false

    /// The configuration of a package without the file.
    package init() {}

    /// Reads the configuration of a package. Throws one sentence for each mistake. Blocks the calling thread.
    package static func load(folder: String) throws(LintFailure) -> LintConfiguration {
        let path = folder + "/" + fileName
        guard PackagePath.exists(path) else { return LintConfiguration() }
        let bytes = try LintInput.read(path, limit: sizeLimit)
        do throws(LintFailure) {
            return try LintConfiguration(bytes)
        } catch {
            throw LintFailure(error.reasons.map { "\(Printable.text(path)):\($0)" })
        }
    }

    /// Reads the contents of the file. Throws all mistakes, each with line and column.
    package init(_ bytes: [UInt8]) throws(LintFailure) {
        let root: JSONNode
        do throws(JSONFault) {
            root = try JSONReader.read(bytes)
        } catch {
            throw LintFailure("\(error.position): \(error.reason)")
        }
        guard case .object(let members) = root.value else {
            throw LintFailure("\(root.position): expected an object, but found \(root.kind)")
        }
        var mistakes: [String] = []
        for member in members { read(member, &mistakes) }
        guard mistakes.isEmpty else { throw LintFailure(mistakes) }
    }

    private mutating func read(_ member: JSONNode.Member, _ mistakes: inout [String]) {
        switch member.key {
        case "$schema", "comment": break
        case "files":
            let patterns = Self.patterns(member, &mistakes)
            if patterns.isEmpty, case .array(let items) = member.value.value, items.isEmpty {
                mistakes.append("\(member.position): \"files\" is empty; remove it to search for policies")
            }
            files = patterns
        case "certificates": certificates = Self.patterns(member, &mistakes)
        case "exclude": exclude = Self.patterns(member, &mistakes)
        case "withinDays":
            if case .number(let digits) = member.value.value, let days = Int(digits), LintTimes.isUsable(days: days) {
                withinDays = days
            } else {
                mistakes.append(
                    "\(member.value.position): \"withinDays\" must be a number of days from 0 to \(LintTimes.maximumDays)"
                )
            }
        case "strict":
            if case .bool(let flag) = member.value.value {
                strict = flag
            } else {
                mistakes.append("\(member.value.position): \"strict\" must be true or false, not \(member.value.kind)")
            }
        default:
            mistakes.append(
                "\(member.position): the key \"\(Printable.text(member.key))\" is unknown, expected \"files\", "
                    + "\"certificates\", \"exclude\", \"withinDays\" or \"strict\"")
        }
    }

    private static func patterns(_ member: JSONNode.Member, _ mistakes: inout [String]) -> [PathPattern] {
        guard case .array(let items) = member.value.value else {
            mistakes.append("\(member.value.position): \"\(member.key)\" must be an array, not \(member.value.kind)")
            return []
        }
        guard items.count <= patternLimit else {
            mistakes.append("\(member.value.position): \"\(member.key)\" has more than \(patternLimit) paths")
            return []
        }
        return items.compactMap { item in
            guard case .string(let text) = item.value else {
                mistakes.append("\(item.position): a path must be a string, not \(item.kind)")
                return nil
            }
            do throws(LintFailure) {
                return try PathPattern(text)
            } catch {
                mistakes.append("\(item.position): \"\(Printable.text(text))\": \(error)")
                return nil
            }
        }
    }
}
