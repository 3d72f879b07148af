import Foundation
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTrust
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

@testable import HoldfastTransport

/// Compares `docs/observability.md` with everything that a run emits in which every event occurs, and searches it for
/// secrets.
@Suite(.timeLimit(.minutes(1))) struct ObservabilityDocumentTests {
    private static let document = "observability.md"

    /// A metric in the document: its kind, and the values of each label.
    private struct Metric: Hashable {
        var kind: String
        var labels: [String: Set<String>]
    }

    private struct Emitted {
        var name: String
        var kind: String
        var labels: [(String, String)]
    }

    private func emitted(_ metrics: TestMetrics) -> [Emitted] {
        metrics.counters.map { Emitted(name: $0.label, kind: "counter", labels: $0.dimensions) }
            + metrics.meters.map { Emitted(name: $0.label, kind: "meter", labels: $0.dimensions) }
            + metrics.timers.map { Emitted(name: $0.label, kind: "timer", labels: $0.dimensions) }
            + metrics.recorders.map { Emitted(name: $0.label, kind: "recorder", labels: $0.dimensions) }
    }

    private func lists() throws -> [String: Set<String>] {
        let rows = try DocumentTable(header: "| list | values |", in: Self.document).rows
        return Dictionary(
            uniqueKeysWithValues: rows.map {
                (DocumentTable.lists(in: $0[0]).joined(), Set(DocumentTable.codes(in: $0[1])))
            })
    }

    private func documentedMetrics() throws -> [String: Metric] {
        let lists = try lists()
        let rows = try DocumentTable(header: "| name | kind | labels | what |", in: Self.document).rows
        return try Dictionary(
            uniqueKeysWithValues: rows.map { row in
                var labels: [String: Set<String>] = [:]
                for part in row[2].split(separator: ";") where row[2] != "none" {
                    let codes = DocumentTable.codes(in: String(part))
                    var values = Set(codes.dropFirst())
                    for list in DocumentTable.lists(in: String(part)) { values.formUnion(try #require(lists[list])) }
                    labels[try #require(codes.first)] = values
                }
                return (DocumentTable.codes(in: row[0]).joined(), Metric(kind: row[1], labels: labels))
            })
    }

    /// The run emits every metric, span and log line of the document and nothing else. No output contains a secret.
    @Test func theDocumentMatchesTheOutput() async throws {
        let observed = try await EventfulRun().observed
        try checkMetrics(observed)
        try checkSpans(observed)
        try checkLines(observed)
        checkSecrets(observed)
    }

    private func checkMetrics(_ observed: Observed) throws {
        let documented = try documentedMetrics()
        let emitted = emitted(observed.metrics)
        #expect(Set(emitted.map(\.name)) == Set(documented.keys))
        for metric in emitted {
            let row = try #require(documented[metric.name], "\(metric.name)")
            #expect(row.kind == metric.kind, "\(metric.name)")
            #expect(Set(metric.labels.map(\.0)) == Set(row.labels.keys), "\(metric.name)")
            for (label, value) in metric.labels {
                #expect(row.labels[label]?.contains(value) == true, "\(metric.name) \(label)=\(value)")
            }
        }
    }

    private func checkSpans(_ observed: Observed) throws {
        let rows = try DocumentTable(header: "| span | kind | parent | attributes | what |", in: Self.document).rows
        var documented: [String: (kind: String, attributes: Set<String>)] = [:]
        for row in rows {
            let name = DocumentTable.codes(in: row[0]).joined()
            documented[name] = (row[1], Set(DocumentTable.codes(in: row[3])))
        }
        let lists = try lists()
        let types = lists.values.reduce(into: Set<String>()) { $0.formUnion($1) }.union(["refused"])
        var seen: [String: Set<String>] = [:]
        for span in observed.tracer.finishedSpans {
            let name = span.operationName.hasPrefix("holdfast.") ? span.operationName : "HTTP"
            if name == "HTTP" { #expect(["GET", "POST", "HTTP"].contains(span.operationName)) }
            let row = try #require(documented[name], "\(name)")
            #expect(row.kind == (span.kind == .client ? "client" : "internal"), "\(name)")
            seen[name, default: []].formUnion(span.names)
            if let type = span.value("error.type") { #expect(types.contains(type) || Int(type) != nil, "\(type)") }
            #expect(span.events.isEmpty && span.errors.isEmpty && span.links.isEmpty)
            #expect(span.status?.message == nil)
        }
        #expect(seen == documented.mapValues(\.attributes))
        #expect(observed.tracer.activeSpans.isEmpty)
    }

    private func checkLines(_ observed: Observed) throws {
        let rows = try DocumentTable(header: "| message | level | metadata | when |", in: Self.document).rows
        let documented = Set(
            rows.map { row in
                let keys = DocumentTable.codes(in: row[2]).sorted().joined(separator: ",")
                return "\(row[1]) \(DocumentTable.codes(in: row[0]).joined()) \(keys)"
            })
        let written = Set(
            observed.log.entries.map { entry in
                "\(entry.level) \(entry.message) \(entry.metadata.keys.sorted().joined(separator: ","))"
            })
        #expect(written == documented)
        #expect(
            Set(TransportLog.Line.allCases.map(\.rawValue)) == Set(rows.map { DocumentTable.codes(in: $0[0]).joined() })
        )
    }

    private func checkSecrets(_ observed: Observed) {
        let texts =
            observed.log.entries.map(\.text)
            + emitted(observed.metrics).map { "\($0.name) \($0.labels)" }
            + observed.tracer.finishedSpans.map {
                """
                \($0.operationName) \($0.names.map { $0 }) \($0.attributes) \($0.events) \($0.errors) \
                \(String(describing: $0.status))
                """
            }
            + observed.tracer.finishedSpans.flatMap { span in span.names.compactMap { span.value($0) } }
        #expect(texts.count > 100)
        for text in texts {
            for secret in EventfulRun.secrets {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }

    // MARK: The lists

    /// The document lists the codes of the source, completely: a new code of a type must be added to its list of
    /// labels and to the document.
    @Test func theListsAreComplete() throws {
        let lists = try lists()
        #expect(lists["error"] == Set(TransportError.labelled.map(\.rawValue) + ["caller", "other"]))
        #expect(lists["proxy failure"] == Set(ProxyFailure.Code.labelled.map(\.rawValue) + ["other"]))
        #expect(lists["handshake failure"] == Set(HandshakeFailure.Code.labelled.map(\.rawValue) + ["other"]))
        #expect(lists["report event"] == Set(ReportEvent.allCases.map(\.rawValue)))
        #expect(lists["finding"] == Set(TrustFinding.Code.labelled.map(\.rawValue) + ["other"]))
        let errors = try constants("Sources/Transport/HoldfastTransport/Errors/TransportError+Code.swift")
        #expect(Set(TransportError.labelled.map(\.rawValue)) == errors)
        let proxies = try constants("Sources/Transport/HoldfastTransport/Proxies/ProxyFailure.swift")
        #expect(Set(ProxyFailure.Code.labelled.map(\.rawValue)) == proxies)
        let handshakes = try constants("Sources/Transport/HoldfastNIO/TLS/HandshakeFailure.swift")
        #expect(Set(HandshakeFailure.Code.labelled.map(\.rawValue)) == handshakes)
        let findings = try constants("Sources/Trust/HoldfastTrust/Verdicts/TrustFinding+Code.swift")
        #expect(Set(TrustFinding.Code.labelled.map(\.rawValue)) == findings)
    }

    /// Returns the constants of an open code type, from its source file.
    private func constants(_ path: String) throws -> Set<String> {
        let source = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
        let names = source.matches(of: /Code\(rawValue: "(\w+)"\)/).map { String($0.output.1) }
        #expect(names.count > 5)
        return Set(names)
    }

    /// Only `TransportLog` writes to a log, so the document lists every log line.
    @Test(arguments: ["HoldfastNIO", "HoldfastTransport"])
    func onlyTransportLogWritesToTheLog(module: String) throws {
        let folder = Repository.root.appending(path: "Sources/Transport/\(module)")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        #expect(files.count > 10)
        for file in files where file.hasSuffix(".swift") && !file.hasSuffix("TransportLog.swift") {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let call = source.firstMatch(of: /\blogger\??\.(trace|debug|info|notice|warning|error|critical|log)\(/)
            #expect(call == nil, "\(file)")
        }
    }
}
