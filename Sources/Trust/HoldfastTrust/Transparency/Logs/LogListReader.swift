import HoldfastBase

/// Reads lists of logs in Google's format, version 3, and in Holdfast's own format.
///
/// In Google's format, unknown members are ignored, because its schema allows them. In Holdfast's own format they are
/// errors, as in policies.
struct LogListReader {
    /// The contents of a list.
    struct Content {
        var issued: Timestamp?
        var logs: [TransparencyLog] = []
    }

    /// The maximum number of problems that are listed. Further ones are not listed.
    private static let maximumProblems = 1_000

    /// The errors, of which each makes the list unusable.
    private(set) var errors: [PolicyError.Problem] = []
    /// The logs that were skipped.
    private(set) var skipped: [PolicyError.Problem] = []
    private var seen: Set<TransparencyLogID> = []
    private var count = 0

    mutating func read(_ node: JSONNode) -> Content {
        guard case .object(let members) = node.value else {
            error("expected an object, found \(node.kind)", "", node)
            return Content()
        }
        let isOwn = members.contains { $0.key == "holdfastLogList" }
        return isOwn ? readOwn(node) : readGoogle(node)
    }

    // MARK: - Google's format

    private mutating func readGoogle(_ node: JSONNode) -> Content {
        var content = Content()
        let top = fields(of: node, "")
        content.issued = instant(top["log_list_timestamp"], "log_list_timestamp", node)
        guard let operators = array(top["operators"], "operators", node) else { return content }
        for (index, item) in operators.enumerated() {
            let path = "operators[\(index)]"
            let fields = fields(of: item, path)
            guard let name = string(fields["name"], path + ".name", item) else { continue }
            for (key, isRFC6962) in [("logs", true), ("tiled_logs", false)] {
                guard let list = fields[key], let logs = array(list, "\(path).\(key)", item) else { continue }
                for (place, log) in logs.enumerated() {
                    guard allowsOneMore(log) else { return content }
                    let read = googleLog(log, "\(path).\(key)[\(place)]", operatorName: name, isRFC6962: isRFC6962)
                    if let read { content.logs.append(read) }
                }
            }
        }
        return content
    }

    private mutating func googleLog(
        _ node: JSONNode, _ path: String, operatorName: String, isRFC6962: Bool
    ) -> TransparencyLog? {
        let fields = fields(of: node, path)
        guard let key = key(fields["key"], path + ".key", node) else { return nil }
        // The identifier is required, so that a wrong key is noticed.
        guard isIdentifier(fields["log_id"], of: key, path + ".log_id", node) else { return nil }
        let delay = integer(fields["mmd"], path + ".mmd", node)
        guard let (state, since) = googleState(fields["state"], path + ".state", node) else { return nil }
        var former: [TransparencyLog.FormerOperator] = []
        if let list = fields["previous_operators"] {
            former = formerOperators(list, path + ".previous_operators", name: "name", end: "end_time", isStrict: false)
        }
        var from: Timestamp?
        var before: Timestamp?
        if let interval = fields["temporal_interval"] {
            let path = path + ".temporal_interval"
            let ends = self.fields(of: interval, path)
            from = instant(ends["start_inclusive"], path + ".start_inclusive", interval)
            before = instant(ends["end_exclusive"], path + ".end_exclusive", interval)
        }
        let name = fields["description"].flatMap { string($0, path + ".description", node) } ?? ""
        guard let verification = verificationKey(key, path + ".key", node) else { return nil }
        return unique(
            TransparencyLog(
                id: TransparencyLogID(hashing: key), key: key, verificationKey: verification, name: name,
                operatorName: operatorName, formerOperators: former, state: state, since: since,
                maximumMergeDelay: delay ?? 0, expiryFrom: from, expiryBefore: before, isRFC6962: isRFC6962),
            path, node)
    }

    private mutating func googleState(
        _ value: JSONNode?, _ path: String, _ parent: JSONNode
    ) -> (TransparencyLog.State, Timestamp)? {
        guard let value else {
            // The list of all logs contains logs without a state, which were never submitted.
            skip("the log has no state and is skipped", path, parent)
            return nil
        }
        guard case .object(let members) = value.value, let member = members.first, members.count == 1 else {
            error("expected an object with one state", path, value)
            return nil
        }
        guard let state = TransparencyLog.State(rawValue: member.key) else {
            skip("the state \"\(Printable.text(member.key))\" is unknown, and the log is skipped", path, value)
            return nil
        }
        let path = path + "." + member.key
        let inner = fields(of: member.value, path)
        return instant(inner["timestamp"], path + ".timestamp", member.value).map { (state, $0) }
    }

    // MARK: - Holdfast's format

    private static let topKeys: Set<String> = ["holdfastLogList", "issued", "logs", "comment"]
    private static let logKeys: Set<String> = [
        "key", "logID", "name", "operator", "formerOperators", "state", "since", "maximumMergeDelay", "expiryFrom",
        "expiryBefore", "tiled", "comment",
    ]

    private mutating func readOwn(_ node: JSONNode) -> Content {
        var content = Content()
        let top = fields(of: node, "", allowed: LogListReader.topKeys)
        if let version = top["holdfastLogList"], version.value != .number("1") {
            error("the version is not supported, expected 1", "holdfastLogList", version)
        }
        content.issued = instant(top["issued"], "issued", node)
        for (index, item) in (array(top["logs"], "logs", node) ?? []).enumerated() {
            guard allowsOneMore(item) else { return content }
            if let log = ownLog(item, "logs[\(index)]") { content.logs.append(log) }
        }
        return content
    }

    private mutating func ownLog(_ node: JSONNode, _ path: String) -> TransparencyLog? {
        let fields = fields(of: node, path, allowed: LogListReader.logKeys)
        guard let key = key(fields["key"], path + ".key", node) else { return nil }
        if let id = fields["logID"], !isIdentifier(id, of: key, path + ".logID", node) { return nil }
        guard let operatorName = string(fields["operator"], path + ".operator", node),
            let text = string(fields["state"], path + ".state", node),
            let since = instant(fields["since"], path + ".since", node)
        else { return nil }
        guard let state = TransparencyLog.State(rawValue: text) else {
            let known = TransparencyLog.State.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            error("\"\(Printable.text(text))\" is not valid, expected one of \(known)", path + ".state", node)
            return nil
        }
        var isTiled = false
        if let value = fields["tiled"] {
            guard case .bool(let flag) = value.value else {
                error("expected true or false, found \(value.kind)", path + ".tiled", value)
                return nil
            }
            isTiled = flag
        }
        let delay = fields["maximumMergeDelay"].flatMap { integer($0, path + ".maximumMergeDelay", node) }
        let former = fields["formerOperators"].map {
            formerOperators($0, path + ".formerOperators", name: "operator", end: "until", isStrict: true)
        }
        let from = fields["expiryFrom"].flatMap { instant($0, path + ".expiryFrom", node) }
        let before = fields["expiryBefore"].flatMap { instant($0, path + ".expiryBefore", node) }
        let name = fields["name"].flatMap { string($0, path + ".name", node) } ?? ""
        guard let verification = verificationKey(key, path + ".key", node) else { return nil }
        return unique(
            TransparencyLog(
                id: TransparencyLogID(hashing: key), key: key, verificationKey: verification, name: name,
                operatorName: operatorName, formerOperators: former ?? [], state: state, since: since,
                maximumMergeDelay: delay ?? 86_400, expiryFrom: from, expiryBefore: before, isRFC6962: !isTiled),
            path, node)
    }

    // MARK: - Members of a log

    /// The maximum number of former operators of a log.
    ///
    /// - Error: `TransparencyLogListError`
    private static let maximumFormerOperators = 100

    private mutating func formerOperators(
        _ node: JSONNode, _ path: String, name: String, end: String, isStrict: Bool
    ) -> [TransparencyLog.FormerOperator] {
        let items = array(node, path, node) ?? []
        guard items.count <= LogListReader.maximumFormerOperators else {
            error("the log has more than \(LogListReader.maximumFormerOperators) former operators", path, node)
            return []
        }
        var found: [TransparencyLog.FormerOperator] = []
        for (index, item) in items.enumerated() {
            let path = "\(path)[\(index)]"
            let fields = fields(of: item, path, allowed: isStrict ? [name, end, "comment"] : nil)
            guard let text = string(fields[name], "\(path).\(name)", item),
                let until = instant(fields[end], "\(path).\(end)", item)
            else { continue }
            found.append(TransparencyLog.FormerOperator(name: text, until: until))
        }
        return found
    }

    private mutating func key(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> [UInt8]? {
        guard let text = string(value, path, parent) else { return nil }
        guard let bytes = [UInt8](base64: text), (try? PublicKeyInfo(der: bytes)) != nil else {
            error("expected a public key in base64", path, value ?? parent)
            return nil
        }
        return bytes
    }

    /// Checks that an identifier is the hash of the key (RFC 6962, 3.2).
    private mutating func isIdentifier(
        _ value: JSONNode?, of key: [UInt8], _ path: String, _ parent: JSONNode
    ) -> Bool {
        guard let text = string(value, path, parent) else { return false }
        if TransparencyLogID(base64: text) == TransparencyLogID(hashing: key) { return true }
        error("the identifier of the log is not the SHA-256 hash of its key", path, value ?? parent)
        return false
    }

    /// Returns the key for verification. RFC 6962, 2.1.4 allows P-256 and RSA of at least 2048 bits.
    private mutating func verificationKey(
        _ key: [UInt8], _ path: String, _ node: JSONNode
    ) -> VerificationKey? {
        let algorithm = PublicKeyAlgorithm(spki: key.indices, in: key)
        if let info = try? PublicKeyInfo(der: key),
            let found = VerificationKey(algorithm, bits: info.rawKey, spki: key[...])
        {
            switch found {
            case .p256, .rsa: return found
            case .p384, .p521, .ed25519: break
            }
        }
        skip("the key is \(algorithm), which logs must not use, and the log is skipped", path, node)
        return nil
    }

    private mutating func unique(_ log: TransparencyLog, _ path: String, _ node: JSONNode) -> TransparencyLog? {
        if seen.insert(log.id).inserted { return log }
        error("the log \(log.id) is listed twice", path, node)
        return nil
    }

    private mutating func allowsOneMore(_ node: JSONNode) -> Bool {
        count += 1
        if count <= TransparencyLogList.maximumLogs { return true }
        error("the list has more than \(TransparencyLogList.maximumLogs) logs", "", node)
        return false
    }

    // MARK: - Values

    private mutating func fields(
        of node: JSONNode, _ path: String, allowed: Set<String>? = nil
    ) -> [String: JSONNode] {
        guard case .object(let members) = node.value else {
            error("expected an object, found \(node.kind)", path, node)
            return [:]
        }
        if let allowed {
            for member in members where !allowed.contains(member.key) {
                error("the key \"\(Printable.text(member.key))\" is unknown", path, member.value)
            }
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    private mutating func array(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> [JSONNode]? {
        guard let value else {
            error("the key is missing", path, parent)
            return nil
        }
        if case .array(let elements) = value.value { return elements }
        error("expected an array, found \(value.kind)", path, value)
        return nil
    }

    private mutating func string(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> String? {
        guard let value else {
            error("the key is missing", path, parent)
            return nil
        }
        if case .string(let text) = value.value { return text }
        error("expected a string, found \(value.kind)", path, value)
        return nil
    }

    private mutating func integer(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> Int? {
        if case .number(let digits) = value?.value, let number = Int(digits), (0...31_536_000).contains(number) {
            return number
        }
        error("expected a number of seconds, at most a year", path, value ?? parent)
        return nil
    }

    private mutating func instant(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> Timestamp? {
        guard let text = string(value, path, parent) else { return nil }
        if text.utf8.count > 10, let time = Timestamp(iso8601: text) { return time }
        error("\"\(Printable.text(text))\" is not a valid time with a zone", path, value ?? parent)
        return nil
    }

    private mutating func error(_ message: String, _ path: String, _ node: JSONNode) {
        guard errors.count < LogListReader.maximumProblems else { return }
        errors.append(PolicyError.Problem(path: path, position: node.position, reason: message))
    }

    private mutating func skip(_ message: String, _ path: String, _ node: JSONNode) {
        guard skipped.count < LogListReader.maximumProblems else { return }
        skipped.append(PolicyError.Problem(path: path, position: node.position, reason: message))
    }
}

/// Writes lists of logs in Holdfast's own format.
enum LogListWriter {
    static func text(of list: TransparencyLogList) -> String {
        JSONWriter.text(
            .fields([
                ("holdfastLogList", .number("1")),
                ("issued", .text(list.issued)),
                ("logs", .list(list.logs.map(log))),
            ]))
    }

    private static func log(_ log: TransparencyLog) -> JSONNode.Value {
        let former = log.formerOperators.map { entry in
            JSONNode.Value.fields([("operator", .string(entry.name)), ("until", .text(entry.until))])
        }
        return .fields([
            ("logID", .text(log.id)),
            ("key", .string(log.key.base64)),
            ("name", log.name.isEmpty ? nil : .string(log.name)),
            ("operator", .string(log.operatorName)),
            ("formerOperators", former.isEmpty ? nil : .list(former)),
            ("state", .string(log.state.rawValue)),
            ("since", .text(log.since)),
            ("maximumMergeDelay", .number("\(log.maximumMergeDelay)")),
            ("expiryFrom", log.expiryFrom.map { .text($0) }),
            ("expiryBefore", log.expiryBefore.map { .text($0) }),
            ("tiled", log.isRFC6962 ? nil : .bool(true)),
        ])
    }
}
