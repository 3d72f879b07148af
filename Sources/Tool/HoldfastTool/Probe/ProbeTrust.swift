import HoldfastBase
import HoldfastTrust

/// What the client that a probe stands for would trust.
enum ProbeTrust: Sendable {
    /// The system verification alone.
    case system
    /// A policy.
    case policy(ProbePolicy)
    /// A policy that was made of pins on the command line.
    case pins(PinningPolicy)
    /// The certificates of a folder and nothing else, as the chat SDK does it.
    case certificates(ProbeShelf)

    /// The name of what judges.
    var name: String {
        switch self {
        case .system: "system"
        case .policy(let policy): policy.policy.name
        case .pins(let policy): policy.name
        case .certificates(let shelf): shelf.path
        }
    }

    /// What judges. It remembers nothing: each probe is judged anew.
    func context(anchors: TrustAnchors) -> TrustContext {
        let context: TrustContext =
            switch self {
            case .system: .system(anchors: anchors)
            case .policy(let policy): .policy(policy.policy, anchors: anchors)
            case .pins(let policy): .policy(policy, anchors: anchors)
            case .certificates(let shelf): .pinnedKeysOnly(shelf.pins)
            }
        return context.withoutVerdictCache()
    }

    /// The rules of a policy that count for a host, the expired ones included.
    func rules(for host: CanonicalHost, at now: Timestamp) -> [PinningRule] {
        let policy: PinningPolicy
        switch self {
        case .policy(let file): policy = file.policy
        case .pins(let made): policy = made
        case .system, .certificates: return []
        }
        return policy.explain(host, at: now).considered.filter(\.counts).map(\.rule)
    }

    /// The pins for a host.
    func pins(for host: CanonicalHost, at now: Timestamp) -> PinSet {
        switch self {
        case .system: PinSet([])
        case .policy, .pins: PinSet(rules(for: host, at: now).flatMap(\.pins.pins))
        case .certificates(let shelf): PinSet(shelf.pins.certificates.map { Pin($0.spkiDigest) })
        }
    }

    /// When the first of the rules for a host ends.
    func expires(for host: CanonicalHost, at now: Timestamp) -> Timestamp? {
        rules(for: host, at: now).compactMap(\.expires).min()
    }
}

/// A policy with the file that it came from.
struct ProbePolicy: Sendable {
    /// The file's name as it was given.
    var path: String
    /// What the file says, with positions.
    var document: PolicyDocument
    /// What it means.
    var policy: PinningPolicy

    /// Takes a document. Throws one sentence with every problem of it, each with its place in the file.
    init(_ document: PolicyDocument, path: String) throws(ToolError) {
        self.path = path
        self.document = document
        do throws(PolicyError) {
            policy = try document.policy()
        } catch {
            let problems = error.problems.map { problem in
                let text = "\(Printable.text(path)):\(problem)"
                return problem.position == nil ? "\(Printable.text(path)): \(problem)" : text
            }
            throw ToolError(problems.joined(separator: "; "))
        }
    }
}

/// The certificates of a folder, as an app ships them.
struct ProbeShelf: Sendable {
    /// The most certificates of a folder.
    static let countLimit = 1_000

    /// The folder as it was given.
    var path: String
    /// What they pin.
    var pins: PinnedKeysOnly
    /// The files that hold PEM. They pin nothing, since `ChatSSLCertificate(contentsOf:)` does not load them: a check by them
    /// would pass for an app that then refuses its own server.
    var pemFiles: [String]

    /// Reads a folder's `.cer`, `.crt`, `.der` and `.pem` files. Throws one sentence for a folder without any, for one with
    /// nothing but PEM, and for a file that is no certificate: an app would go on without it, and nobody would know.
    init(path: String) throws(ToolError) {
        self.path = path
        let folder = CertificateFolder(path: path)
        var certificates: [CertificateView] = []
        pemFiles = []
        for name in try folder.names() {
            let bytes = try folder.bytes(of: name)
            do throws(CertificateError) {
                let found = try CertificateLoading.certificates(in: bytes)
                if PEMReader.isPEM(bytes) { pemFiles.append(name) } else { certificates += found }
            } catch {
                throw ToolError("'\(Printable.text(path + "/" + name))': \(error.reason)")
            }
            guard certificates.count <= Self.countLimit else {
                throw ToolError("'\(Printable.text(path))' has more than \(Self.countLimit) certificates")
            }
        }
        guard !certificates.isEmpty || pemFiles.isEmpty else {
            throw ToolError(
                "'\(Printable.text(path))' holds PEM alone, and ChatSSLCertificate(contentsOf:) loads DER: "
                    + "openssl x509 -outform DER converts a certificate")
        }
        guard !certificates.isEmpty else {
            throw ToolError("there is no certificate (.cer, .crt, .der, .pem) in '\(Printable.text(path))'")
        }
        pins = PinnedKeysOnly(certificates: certificates)
    }
}
