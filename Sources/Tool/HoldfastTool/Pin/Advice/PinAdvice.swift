import HoldfastBase
import HoldfastTrust

/// Advice on which keys to pin for a server. A value without I/O.
///
/// A set of keys is advised only if it survives the loss of the server's key and a change of the certificate authority:
/// it needs a backup that does not depend on the first key. Only keys on a verified path are advised, and backup keys
/// in files, which the operator gives.
struct PinAdvice: Hashable {
    /// A chain, and what is verified of it.
    struct Chain: Hashable {
        /// The file or server.
        var source: String
        /// Whether the chain is from a server, so that an attacker may have sent it.
        var isServer: Bool
        /// The certificates, the server's first.
        var presented: PresentedChain
        /// Its verified paths.
        var paths: PinPaths
    }

    /// A key without a chain.
    struct Key: Hashable {
        /// The file.
        var source: String
        /// The key.
        var key: PublicKeyInfo
    }

    /// A note for the user.
    struct Note: Hashable, Encodable {
        /// What it is about.
        enum Code: String, Hashable, Encodable {
            case unverifiedChain, noBackup, sameKey, otherHost, shortLived, frequentRenewal, publicAuthority
            case privateAuthority, severalPaths, crossSigned, notOnPath, unverifiedBackup, unusableKey, incomplete
        }

        var code: Code
        var text: String
    }

    /// A set of keys that can be pinned together.
    struct Plan: Hashable {
        /// The keys.
        var keys: [AdvisedKey] = []
        /// What the set survives.
        var survival: PinSurvival
        /// The clauses that say what is missing. The plan is advised if there is none.
        var missing: [String] = []

        /// Whether the set can be pinned.
        var isAdvised: Bool { missing.isEmpty && keys.count > 1 }
    }

    /// The longest validity of a short-lived certificate in days (CA/Browser Forum, Baseline Requirements, 1.6.1).
    static let shortLivedDays: Int64 = 10
    /// A certificate with a shorter validity in days is renewed by a program.
    static let automaticDays: Int64 = 100

    /// The hosts of the pins.
    let pattern: HostPattern
    /// The chains.
    let chains: [Chain]
    /// All keys, the server's first.
    private(set) var keys: [AdvisedKey] = []
    /// Notes for the user.
    private(set) var notes: [Note] = []

    /// Considers the sources.
    ///
    /// - Parameters:
    ///   - pattern: The hosts of the pins.
    ///   - chains: The chains; the first is the server's current one. The server's key in another is a backup.
    ///   - backups: Backup keys without a certificate.
    ///   - denied: Keys that must not be advised, nor be on a path.
    ///   - publicRoots: The machine's roots. Other anchors are private.
    init(
        for pattern: HostPattern, chains: [Chain], backups: [Key], denied: PinSet, publicRoots: Set<CertificateView>
    ) {
        self.pattern = pattern
        self.chains = chains
        for (index, chain) in chains.enumerated() {
            let paths = chain.paths.paths.filter { path in
                path.enumerated().allSatisfy { !denied.matches($1, isLeaf: $0 == 0) }
            }
            addLeaf(of: chain, isCurrent: index == 0, isVerified: !paths.isEmpty)
            addAuthorities(of: chain, paths, publicRoots)
        }
        for backup in backups { addBackup(AdvisedKey(source: backup.source, role: .backup, key: backup.key)) }
        for place in keys.indices where keys[place].problem == nil {
            keys[place].problem = keys[place].refusal(denied: denied)
        }
        for key in keys {
            guard let problem = key.problem, key.role != .leaf, key.role != .unverified else { continue }
            note(.unusableKey, "The \(key.role.rawValue) key in \(key.source) is not advised: \(problem).")
        }
        if backupKeys.isEmpty {
            note(
                .noBackup,
                "No backup key was given. A single key is never advised: if it is lost, no client can connect.")
        }
    }

    // MARK: Plans

    /// The server's key and its backups.
    var ownKeys: Plan {
        var plan = Plan(
            survival: PinSurvival(sameKey: .yes, newKey: .withBackup, newIntermediate: .yes, newAuthority: .yes))
        if let leaf = usable(.leaf).first { plan.keys.append(leaf) } else { plan.missing.append(leafProblem) }
        plan.keys += backupKeys
        if backupKeys.isEmpty { plan.missing.append("a backup key is missing") }
        return plan
    }

    /// The roots of the server's chain, and its backups: keys of the server, or roots of another chain.
    var authorityKeys: Plan {
        var plan = Plan(
            survival: PinSurvival(
                sameKey: .yes, newKey: .yes, newIntermediate: .sameRoot, newAuthority: .withBackup))
        let roots = usable(.root)
        plan.keys = roots + backupKeys
        if !roots.contains(where: { isCurrent($0) }) {
            plan.missing.append("the current chain has no usable root on a verified path")
        }
        if backupKeys.isEmpty, roots.allSatisfy(isCurrent) {
            plan.missing.append("a backup is missing: a key of the server, or a chain of another CA")
        }
        return plan
    }

    private func usable(_ role: AdvisedKey.Role) -> [AdvisedKey] {
        keys.filter { $0.role == role && $0.problem == nil }
    }

    private var backupKeys: [AdvisedKey] { usable(.backup) }

    private var leafProblem: String {
        let problem = keys.first { $0.role == .leaf }?.problem
        return problem.map { "the server's key cannot be advised: \($0)" } ?? "no source has the server's certificate"
    }

    /// Returns whether a path of the current chain contains the key.
    private func isCurrent(_ key: AdvisedKey) -> Bool {
        chains.first?.paths.paths.contains { $0.contains { $0.spkiDigest == key.key.digest } } == true
    }

    // MARK: Keys

    private mutating func addLeaf(of chain: Chain, isCurrent: Bool, isVerified: Bool) {
        guard let leaf = chain.presented.leaf else { return }
        let finding = chain.paths.finding
        var key = AdvisedKey(
            source: chain.source, role: isCurrent ? .leaf : .backup, key: PublicKeyInfo(leaf), certificates: [leaf])
        key.paths = isVerified ? chain.paths.paths.count : 0
        guard isCurrent else {
            // An authority's certificate in a file of its own is not the server's, and a server may be an attacker's.
            if leaf.isCertificateAuthority || (chain.isServer && !isVerified) {
                key.role = .unverified
                key.problem = "it is not on a verified path"
            } else if chain.paths.isForAnotherHost {
                key.problem = "its certificate is not valid for \(pattern)"
            } else if !isVerified {
                note(
                    .unverifiedBackup,
                    "The certificate in \(chain.source) is not verified; only its key is used: \(finding.reason)")
            }
            addBackup(key)
            return
        }
        if !isVerified {
            key.problem =
                finding.isFavourable ? "the policy denies a key of its path" : "the system verification fails"
            let reason = finding.isFavourable ? "The policy denies a key of every path." : finding.reason
            note(.unverifiedChain, "No key of \(chain.source) is advised, because its chain is refused. \(reason)")
        }
        keys.append(key)
        if let start = leaf.notBefore, let end = leaf.notAfter { noteValidity(from: start, to: end) }
    }

    private mutating func addBackup(_ backup: AdvisedKey) {
        guard let place = keys.firstIndex(where: { $0.key.digest == backup.key.digest }) else {
            keys.append(backup)
            return
        }
        for certificate in backup.certificates where !keys[place].certificates.contains(certificate) {
            keys[place].certificates.append(certificate)
        }
        if keys[place].role == .leaf {
            note(.sameKey, "The key in \(backup.source) is the server's current key, so it is not a backup.")
        }
    }

    private mutating func addAuthorities(
        of chain: Chain, _ paths: [[CertificateView]], _ publicRoots: Set<CertificateView>
    ) {
        for path in paths {
            for (position, certificate) in path.enumerated().dropFirst() {
                add(certificate, of: chain, isRoot: position == path.count - 1)
            }
        }
        let verified = Set(paths.joined())
        for certificate in chain.presented.certificates.dropFirst() where !verified.contains(certificate) {
            if !keys.contains(where: { $0.key.digest == certificate.spkiDigest }) {
                var key = AdvisedKey(
                    source: chain.source, role: .unverified, key: PublicKeyInfo(certificate),
                    certificates: [certificate])
                key.problem = "it is not on a verified path"
                keys.append(key)
            }
            guard !paths.isEmpty else { continue }
            note(.notOnPath, "\(certificate.subject) in \(chain.source) is not on a verified path, so it is not used.")
        }
        for root in Set(paths.compactMap { $0.count > 1 ? $0.last : nil }).sorted(by: { $0.subject < $1.subject }) {
            noteAuthority(root, isPublic: publicRoots.contains(root))
        }
        notePaths(of: chain, paths)
    }

    private mutating func add(_ certificate: CertificateView, of chain: Chain, isRoot: Bool) {
        let role = isRoot ? AdvisedKey.Role.root : .intermediate
        // A later chain may verify a key that an earlier one only presented.
        keys.removeAll { $0.role == .unverified && $0.key.digest == certificate.spkiDigest }
        guard
            let place = keys.firstIndex(where: {
                $0.key.digest == certificate.spkiDigest && $0.role.scope == .ca
            })
        else {
            var key = AdvisedKey(source: chain.source, role: role, key: PublicKeyInfo(certificate))
            key.certificates = [certificate]
            key.paths = 1
            keys.append(key)
            return
        }
        keys[place].paths += 1
        if isRoot { keys[place].role = .root }
        if !keys[place].certificates.contains(certificate) { keys[place].certificates.append(certificate) }
    }

    // MARK: Notes

    private mutating func note(_ code: Note.Code, _ text: String) {
        let note = Note(code: code, text: Printable.text(text))
        if !notes.contains(note) { notes.append(note) }
    }

    private mutating func noteValidity(from start: Timestamp, to end: Timestamp) {
        let (seconds, overflow) = end.secondsSince1970.subtractingReportingOverflow(start.secondsSince1970)
        guard !overflow, seconds >= 0 else { return }
        let days = seconds / 86_400
        if days <= Self.shortLivedDays {
            note(
                .shortLived,
                "The server's certificate is valid for \(days) days only. Pin its key only if every renewal keeps the key."
            )
        } else if days <= Self.automaticDays {
            note(
                .frequentRenewal,
                "The server's certificate is valid for \(days) days. Configure the renewal to keep the key, as certbot's "
                    + "--reuse-key does.")
        }
    }

    private mutating func noteAuthority(_ root: CertificateView, isPublic: Bool) {
        guard isPublic else {
            note(
                .privateAuthority,
                "\(root.subject) is a private anchor. Only clients that have this anchor accept the chain.")
            return
        }
        note(
            .publicAuthority,
            "\(root.subject) is a public CA. A pin for its key accepts every certificate that this CA issues for the name, "
                + "also to an attacker. Such a pin needs the scope ca.")
    }

    private mutating func notePaths(of chain: Chain, _ paths: [[CertificateView]]) {
        if chain.paths.isIncomplete {
            note(.incomplete, "Only \(PinPaths.limit) authorities of \(chain.source) were tried for further paths.")
        }
        if paths.count > 1 {
            note(
                .severalPaths,
                "\(chain.source) has \(paths.count) verified paths, and other clients may choose another one. "
                    + "An authority that is not on all of them is not a safe pin for those clients.")
        }
        for key in keys where key.role.scope == .ca && key.role != .unverified && key.certificates.count > 1 {
            let issuers = key.certificates.map { "\($0.issuer) until \($0.notAfter?.description.prefix(10) ?? "?")" }
            note(
                .crossSigned,
                "One authority key has certificates of several issuers: \(issuers.joined(separator: "; ")).")
        }
    }
}
