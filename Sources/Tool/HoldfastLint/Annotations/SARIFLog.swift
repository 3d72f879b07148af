import HoldfastBase
import HoldfastTrust

/// Writes annotations as a log of the Static Analysis Results Interchange Format (OASIS SARIF 2.1.0), which code
/// scanning reads.
package struct SARIFLog {
    /// The annotations.
    private let annotations: [Annotation]
    /// The command that created them. Logs of different commands do not replace each other.
    private let command: String

    /// The name and version of ``fingerprints()``.
    package static let fingerprintName = "holdfastFinding/v1"

    /// Creates a log of a command.
    package init(_ annotations: [Annotation], command: String) {
        self.annotations = annotations
        self.command = command
    }

    /// One JSON object on several lines, without a trailing line break.
    package var text: String {
        let codes = annotations.map(\.code)
        let rules = codes.indices.filter { codes.firstIndex(of: codes[$0]) == $0 }.map { annotations[$0] }
        let numbers = Dictionary(rules.enumerated().map { ($1.code, $0) }) { first, _ in first }
        let driver = JSONNode.Value.fields([
            ("name", .string("holdfast")), ("semanticVersion", .string(PackageVersion.current)),
            ("rules", .list(rules.map(rule))),
        ])
        let results = zip(annotations, fingerprints()).map { annotation, fingerprint in
            result(annotation, rule: numbers[annotation.code] ?? 0, fingerprint)
        }
        let run = JSONNode.Value.fields([
            ("tool", .fields([("driver", driver)])),
            ("automationDetails", .fields([("id", .string("holdfast-\(command)/"))])),
            ("columnKind", .string("utf16CodeUnits")), ("results", .list(results)),
        ])
        let log = JSONNode.Value.fields([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")), ("version", .string("2.1.0")),
            ("runs", .list([run])),
        ])
        return TerminalSafety.json(String(JSONWriter.text(log).dropLast()))
    }

    /// Returns a value for each annotation that stays the same when lines move, or when a number in the message
    /// changes, such as the remaining days. Equal findings are counted.
    private func fingerprints() -> [String] {
        var seen: [[String]: Int] = [:]
        return annotations.map { annotation in
            let parts = [annotation.code, annotation.file.map { Self.uri($0) } ?? "", annotation.subject ?? ""]
            seen[parts, default: 0] += 1
            let text = (parts + ["\(seen[parts] ?? 1)"]).joined(separator: "\0")
            return SHA256Hash(hashing: Array(text.utf8)).bytes.hexadecimal
        }
    }

    // MARK: Parts of the log

    private func rule(_ annotation: Annotation) -> JSONNode.Value {
        .fields([
            ("id", .string(annotation.code)),
            ("shortDescription", annotation.meaning.map(Self.message)), ("help", annotation.remedy.map(Self.message)),
        ])
    }

    private func result(_ annotation: Annotation, rule: Int, _ fingerprint: String) -> JSONNode.Value {
        let place = location(of: annotation)
        let text = [annotation.message, annotation.advice].compactMap(\.self).joined(separator: "\n")
        return .fields([
            ("ruleId", .string(annotation.code)), ("ruleIndex", .number("\(rule)")),
            ("level", .string(Self.name(of: annotation.level))), ("message", Self.message(text)),
            ("locations", place.map { .list([$0]) }),
            ("partialFingerprints", .fields([(Self.fingerprintName, .string(fingerprint))])),
        ])
    }

    private func location(of annotation: Annotation) -> JSONNode.Value? {
        guard annotation.file != nil || annotation.subject != nil else { return nil }
        let region = annotation.line.map { line in
            JSONNode.Value.fields([
                ("startLine", .number("\(line)")), ("startColumn", annotation.column.map { .number("\($0)") }),
            ])
        }
        let physical = annotation.file.map { file in
            JSONNode.Value.fields([
                (
                    "artifactLocation",
                    .fields([
                        ("uri", .string(Self.uri(file))),
                        ("uriBaseId", file.hasPrefix("/") ? nil : .string("%SRCROOT%")),
                    ])
                ),
                ("region", region),
            ])
        }
        let logical = annotation.subject.map { subject in
            JSONNode.Value.list([.fields([("fullyQualifiedName", .string(subject))])])
        }
        return .fields([("physicalLocation", physical), ("logicalLocations", logical)])
    }

    private static func message(_ text: String) -> JSONNode.Value { .fields([("text", .string(text))]) }

    private static func name(of level: Annotation.Level) -> String {
        switch level {
        case .error: "error"
        case .warning: "warning"
        case .note: "note"
        }
    }

    /// Returns a path as a URI (RFC 3986): relative for a relative path, otherwise with the scheme `file`.
    package static func uri(_ path: String) -> String {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        var result = path.hasPrefix("/") ? "file://" : ""
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + CollectionOfOne(byte).hexadecimal.uppercased()
            }
        }
        return result
    }
}
