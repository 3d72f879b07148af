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
            case .policy(let policy): .policy(policy.policy, anchors: anchors)
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

    /// Takes a document. Throws one sentence with all its problems, each with its position in the file.
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
    /// The maximum number of certificates in a folder.
    static let countLimit = 1_000

    /// The folder as given.
    var path: String
    /// The pins from the certificates.
    var pins: PinnedKeysOnly
    /// The files that contain PEM. They pin nothing, because `ChatSSLCertificate(contentsOf:)` does not load them: with
    /// them, the check could pass for an app that refuses its own server.
    var pemFiles: [String]

    /// Reads a folder's `.cer`, `.crt`, `.der` and `.pem` files. Throws one sentence if the folder has none, if it has
    /// only PEM, or if a file is not a certificate, which an app would silently skip.
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
                "'\(Printable.text(path))' contains only PEM, but ChatSSLCertificate(contentsOf:) loads DER: "
                    + "convert a certificate with openssl x509 -outform DER")
        }
        guard !certificates.isEmpty else {
            throw ToolError("there is no certificate (.cer, .crt, .der, .pem) in '\(Printable.text(path))'")
        }
        pins = PinnedKeysOnly(certificates: certificates)
    }
}
