import HoldfastBase

/// A list of certificate transparency logs, as published by a browser vendor or written by the app's owner.
///
/// The list is data. Holdfast does not contain a list and does not download one: the app supplies it, from a file, or
/// signed with ``SignedLogList``.
public struct TransparencyLogList: Hashable, Sendable {
    /// The maximum size of a list in bytes. Google's list of all logs has less than 1 MiB.
    ///
    /// - Error: `TransparencyLogListError`
    public static let maximumSize = 2 << 20
    /// The maximum number of logs. Public lists have less than 200.
    ///
    /// - Error: `TransparencyLogListError`
    public static let maximumLogs = 2_000

    /// The time at which the list was published.
    public let issued: Timestamp
    /// The logs in the order of the list.
    public let logs: [TransparencyLog]
    /// The logs that were skipped because their state or the type of their key is unknown, each with the reason. Their
    /// timestamps count as timestamps of an unknown log.
    public let skipped: [PolicyError.Problem]
    private let byID: [TransparencyLogID: Int]

    /// Reads a list: Google's format, version 3 (`https://www.gstatic.com/ct/log_list/v3/log_list.json`), or Holdfast's
    /// own, which <doc:Certificate-Transparency> describes.
    ///
    /// - Throws: ``TransparencyLogListError`` with every problem, each with its path and its position in the text.
    public init(json bytes: [UInt8]) throws(TransparencyLogListError) {
        guard bytes.count <= TransparencyLogList.maximumSize else {
            throw TransparencyLogListError(
                problem: "the list has \(bytes.count) bytes; the limit is \(TransparencyLogList.maximumSize)")
        }
        let node: JSONNode
        do throws(JSONFault) { node = try JSONReader.read(bytes) } catch {
            throw TransparencyLogListError(problem: error.reason, position: error.position)
        }
        var reader = LogListReader()
        let content = reader.read(node)
        guard reader.errors.isEmpty, let issued = content.issued else {
            throw TransparencyLogListError(problems: reader.errors)
        }
        self.issued = issued
        logs = content.logs
        skipped = reader.skipped
        byID = Dictionary(content.logs.enumerated().map { ($1.id, $0) }) { first, _ in first }
    }

    /// Returns the log with an identifier.
    public func log(_ id: TransparencyLogID) -> TransparencyLog? {
        byID[id].map { logs[$0] }
    }

    /// The list in Holdfast's own format.
    public var holdfastJSON: String { LogListWriter.text(of: self) }
}

/// The reason why a list of logs cannot be read: every problem, not only the first.
///
/// - Remedy: Download the list of logs again. `holdfast probe` checks the list of `--log-list`.
public struct TransparencyLogListError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the order of the list.
    public let problems: [PolicyError.Problem]

    init(problems: [PolicyError.Problem]) {
        self.problems = problems
    }

    init(problem: String, position: SourcePosition? = nil) {
        problems = [PolicyError.Problem(path: "", position: position, reason: problem)]
    }

    /// The problems as text.
    public var description: String {
        "The list of logs cannot be read: " + problems.map(\.description).joined(separator: "; ")
    }
}
