import HoldfastTrust

/// The members of a report's object, which are taken one by one, with their positions in the text.
struct ReportFields {
    private var members: [String: JSONNode] = [:]
    private let position: SourcePosition
    private let limits: PinReportLimits

    /// The names of the members that were not taken.
    var rest: [String] { members.keys.sorted() }

    init(_ node: JSONNode, limits: PinReportLimits) throws(ReportFault) {
        guard case .object(let members) = node.value else {
            throw ReportFault(.wrongType, "", node.position, "A report must be an object, but this is \(node.kind).")
        }
        for member in members { self.members[member.key] = member.value }
        position = node.position
        self.limits = limits
    }

    /// Returns whether a member exists.
    func has(_ name: String) -> Bool { members[name] != nil }

    mutating func string(_ name: String) throws(ReportFault) -> String {
        try text(required(name), name, limit: limits.stringBytes)
    }

    /// Takes a string that may be missing or null.
    mutating func optionalString(_ name: String) throws(ReportFault) -> String? {
        guard let node = members.removeValue(forKey: name), node.value != .null else { return nil }
        return try text(node, name, limit: limits.stringBytes)
    }

    mutating func bool(_ name: String) throws(ReportFault) -> Bool {
        let node = try required(name)
        guard case .bool(let value) = node.value else { throw wrongType(node, name, "a boolean") }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ReportFault) -> Int {
        let node = try required(name)
        guard case .number(let digits) = node.value else { throw wrongType(node, name, "a number") }
        guard let value = Int(digits), range.contains(value) else {
            throw ReportFault(
                .invalidValue, name, node.position,
                "The field must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Takes a whole number that may be missing or null.
    mutating func optionalInteger(_ name: String, in range: ClosedRange<Int64>) throws(ReportFault) -> Int64? {
        guard let node = members.removeValue(forKey: name), node.value != .null else { return nil }
        guard case .number(let digits) = node.value else { throw wrongType(node, name, "a number") }
        guard let value = Int64(digits), range.contains(value) else {
            throw ReportFault(
                .invalidValue, name, node.position,
                "The field must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    mutating func host(_ name: String) throws(ReportFault) -> CanonicalHost {
        let node = try required(name)
        let spelling = try text(node, name, limit: limits.stringBytes)
        do throws(HostError) {
            return try CanonicalHost(spelling)
        } catch {
            throw ReportFault(.invalidValue, name, node.position, "The field is not a valid host name or address.")
        }
    }

    /// Takes a point in time with date and time.
    mutating func time(_ name: String) throws(ReportFault) -> Timestamp {
        let node = try required(name)
        let spelling = try text(node, name, limit: limits.stringBytes)
        guard spelling.contains(where: { $0 == "T" || $0 == "t" }), let time = Self.time(spelling) else {
            throw ReportFault(
                .invalidValue, name, node.position, "The field is not a date and time, as in 2026-03-01T12:00:00Z.")
        }
        return time
    }

    /// Takes a date, with or without a time, that may be missing or null.
    mutating func optionalDate(_ name: String) throws(ReportFault) -> Timestamp? {
        guard let node = members.removeValue(forKey: name), node.value != .null else { return nil }
        guard let time = Self.time(try text(node, name, limit: limits.stringBytes)) else {
            throw ReportFault(.invalidValue, name, node.position, "The field is not a date, as in 2026-03-01.")
        }
        return time
    }

    /// Takes a list of strings.
    mutating func strings(
        _ name: String, count: Int, bytes: Int? = nil
    ) throws(ReportFault) -> [(field: String, text: String, position: SourcePosition)] {
        let node = try required(name)
        guard case .array(let elements) = node.value else { throw wrongType(node, name, "an array") }
        guard elements.count <= count else {
            throw ReportFault(
                .tooMuch, name, node.position, "The list has \(elements.count) elements, but the limit is \(count)."
            )
        }
        var result: [(field: String, text: String, position: SourcePosition)] = []
        for (index, element) in elements.enumerated() {
            let field = "\(name)[\(index)]"
            let lines = bytes != nil
            let text = try text(element, field, limit: bytes ?? limits.stringBytes, allowsLines: lines)
            result.append((field, text, element.position))
        }
        return result
    }

    private mutating func required(_ name: String) throws(ReportFault) -> JSONNode {
        guard let node = members.removeValue(forKey: name) else {
            throw ReportFault(.missingField, name, position, "The field is missing.")
        }
        return node
    }

    private func text(
        _ node: JSONNode, _ field: String, limit: Int, allowsLines: Bool = false
    ) throws(ReportFault) -> String {
        guard case .string(let text) = node.value else { throw wrongType(node, field, "a string") }
        guard text.utf8.count <= limit else {
            throw ReportFault(
                .tooMuch, field, node.position,
                "The string has \(text.utf8.count) bytes, but the limit is \(limit).")
        }
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte != 0x7F || allowsLines && (byte == 0x0A || byte == 0x0D)
        }
        guard isPlain else {
            throw ReportFault(.invalidValue, field, node.position, "The string contains a control character.")
        }
        return text
    }

    private func wrongType(_ node: JSONNode, _ field: String, _ wanted: String) -> ReportFault {
        ReportFault(.wrongType, field, node.position, "The field must be \(wanted), but it is \(node.kind).")
    }

    /// TrustKit for Android writes the offset without a colon, as in `+0200`.
    private static func time(_ text: String) -> Timestamp? {
        if let time = Timestamp(iso8601: text) { return time }
        let offset = text.suffix(5)
        guard text.count > 19, let sign = offset.first, sign == "+" || sign == "-",
            offset.dropFirst().allSatisfy({ ("0"..."9").contains($0) })
        else { return nil }
        return Timestamp(iso8601: text.dropLast(2) + ":" + text.suffix(2))
    }
}
