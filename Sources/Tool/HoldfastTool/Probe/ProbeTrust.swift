import ArgumentParser
import HoldfastBase
import HoldfastTrust

/// The trust of the client that a probe simulates.
enum ProbeTrust: Sendable {
    /// Only the system verification.
    case system
    /// A policy.
    case policy(ProbePolicy)
    /// A policy made from pins on the command line.
    case pins(PinningPolicy)
    /// Only the certificates of a folder, as in the chat SDK.
    case certificates(ProbeShelf)

    /// The name of the judge.
    var name: String {
        switch self {
        case .system: "system"
        case .policy(let policy): policy.policy.name
        case .pins(let policy): policy.name
        case .certificates(let shelf): shelf.path
        }
    }

    /// Returns the trust context. It has no memory: each probe is independent.
    func context(anchors: TrustAnchors) -> TrustContext {
        let context: TrustContext =
            switch self {
            case .system: .system(anchors: anchors)
            case .policy(let policy): .policy(policy.policy, anchors: anchors, logs: policy.logs)
            case .pins(let policy): .policy(policy, anchors: anchors)
            case .certificates(let shelf): .pinnedKeysOnly(shelf.pins)
            }
        return context.withoutVerdictCache()
    }

    /// Returns the rules of a policy for a host, including expired ones.
    func rules(for host: CanonicalHost, at now: Timestamp) -> [PinningRule] {
        let policy: PinningPolicy
        switch self {
        case .policy(let file): policy = file.policy
        case .pins(let made): policy = made
        case .system, .certificates: return []
        }
        return policy.explain(host, at: now).considered.filter(\.counts).map(\.rule)
    }

    /// Returns whether a rule of a policy applies to a host and does not exclude it.
    func hasRule(for host: CanonicalHost, at now: Timestamp) -> Bool {
        !rules(for: host, at: now).allSatisfy(\.isExcluded)
    }

    /// Returns the pins for a host.
    func pins(for host: CanonicalHost, at now: Timestamp) -> PinSet {
        switch self {
        case .system: PinSet([])
        case .policy, .pins: PinSet(rules(for: host, at: now).flatMap(\.pins.pins))
        case .certificates(let shelf): PinSet(shelf.pins.certificates.map { Pin($0.spkiDigest) })
        }
    }

    /// Returns when the first of the rules for a host expires.
    func expires(for host: CanonicalHost, at now: Timestamp) -> Timestamp? {
        rules(for: host, at: now).compactMap(\.expires).min()
    }
}

/// A policy and its file.
struct ProbePolicy: Sendable {
    /// The file's path as given.
    var path: String
    /// The file's contents, with positions.
    var document: PolicyDocument
    /// The policy.
    var policy: PinningPolicy
    /// The certificate transparency logs for rules that require certificate timestamps.
    var logs: TransparencyLogHolder?

    /// Takes a document. Throws one sentence with all its problems, each with its position in the file.
    init(_ document: PolicyDocument, path: String) throws(ToolError) {
        self.path = path
        self.document = document
        do throws(PolicyError) {
            policy = try document.policy()
        } catch {
            throw ToolError(path, error.problems)
        }
    }
}

/// The file of `--log-list`.
enum LogListFile {
    static let help = ArgumentHelp(
        "The certificate transparency logs for a policy that requires timestamps.", valueName: "file")

    /// Reads a list of logs in Google's or Holdfast's format. Throws one sentence with all its problems.
    static func logs(atPath path: String) throws(ToolError) -> TransparencyLogHolder {
        let bytes = try InputFile(path: path).readAll(limit: TransparencyLogList.maximumSize)
        do throws(TransparencyLogListError) {
            return TransparencyLogHolder(TransparencyLogs(try TransparencyLogList(json: bytes)))
        } catch {
            throw ToolError(path, error.problems)
        }
    }
}

extension ToolError {
    /// Creates an error with the problems of a file, each with its position.
    fileprivate init(_ path: String, _ problems: [PolicyError.Problem]) {
        let path = Printable.text(path)
        self.init(problems.map { $0.position == nil ? "\(path): \($0)" : "\(path):\($0)" }.joined(separator: "; "))
    }
}
