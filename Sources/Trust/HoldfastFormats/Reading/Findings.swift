import HoldfastBase
import HoldfastTrust

/// Collects the findings of a reader.
struct Findings {
    private var collector = DiagnosticCollector()

    var all: [PolicyDiagnostic] { collector.all }

    mutating func add(
        _ severity: PolicyDiagnostic.Severity, _ code: PolicyDiagnostic.Code, _ message: String, _ path: String,
        _ position: SourcePosition?
    ) {
        collector.add(PolicyDiagnostic(severity, code, message, path: path, position: position))
    }

    mutating func error(
        _ code: PolicyDiagnostic.Code, _ message: String, _ path: String, _ position: SourcePosition? = nil
    ) {
        add(.error, code, message, path, position)
    }

    mutating func warning(
        _ code: PolicyDiagnostic.Code, _ message: String, _ path: String, _ position: SourcePosition? = nil
    ) {
        add(.warning, code, message, path, position)
    }

    mutating func note(
        _ code: PolicyDiagnostic.Code, _ message: String, _ path: String, _ position: SourcePosition? = nil
    ) {
        add(.note, code, message, path, position)
    }

    mutating func error(_ fault: SyntaxFault) { error(fault.code, fault.reason, "", fault.position) }

    // MARK: - Findings about a part of a document

    mutating func error(at part: some DocumentPart, _ code: PolicyDiagnostic.Code, _ message: String) {
        add(.error, code, message, part.path, part.position)
    }

    mutating func warning(at part: some DocumentPart, _ code: PolicyDiagnostic.Code, _ message: String) {
        add(.warning, code, message, part.path, part.position)
    }

    mutating func note(at part: some DocumentPart, _ code: PolicyDiagnostic.Code, _ message: String) {
        add(.note, code, message, part.path, part.position)
    }

    // MARK: - Values that several formats share

    /// Reads a host in the notation of a format.
    mutating func pattern(
        _ text: String, depth: HostPattern.Depth, _ path: String, _ position: SourcePosition?
    ) -> HostPattern? {
        do throws(HostError) {
            let host = try CanonicalHost(text)
            if host.isIPLiteral, depth != .exact {
                error(.subdomainsOfAddress, "IP addresses do not have subdomains", path, position)
            }
            return HostPattern(host, depth: depth)
        } catch {
            self.error(.invalidHost, error.reason, path, position)
            return nil
        }
    }

    /// Reports two spellings of the same host as an error in formats with one entry for each host, because it is
    /// undefined which of them a library finds.
    mutating func refuseDuplicates(in domains: [PolicyDomain]) {
        var seen: [CanonicalHost: String] = [:]
        for domain in domains {
            guard let host = domain.pattern?.host else { continue }
            if let first = seen[host] {
                error(
                    at: domain, .duplicateHost,
                    "\"\(Printable.text(domain.text))\" and \"\(Printable.text(first))\" are the same host, \(host)")
            } else {
                seen[host] = domain.text
            }
        }
    }

    /// Reads a pin in base64 without a prefix.
    mutating func pin(
        _ text: String, scope: Pin.Scope = .any, _ path: String, _ position: SourcePosition?
    ) -> PolicyPin {
        let pin = BarePin.digest(text).map { Pin($0, scope: scope) }
        if pin == nil {
            error(
                .invalidPin, "\"\(Printable.text(text))\" is not a valid pin: \(BarePin.flaw(of: text))", path,
                position)
        }
        return PolicyPin(text: text, pin: pin, path: path, position: position)
    }

    /// Reads a report URI. Reports an unusable URI as an error.
    mutating func reportURI(_ text: String, _ path: String, _ position: SourcePosition?) -> String {
        if !ReportURI.isUsable(text) {
            error(.invalidReportURI, "\"\(Printable.text(text))\" is not an http or https URL", path, position)
        }
        return text
    }

    mutating func bool(_ member: PropertyNode.Member?, _ path: String) -> Bool? {
        guard let member else { return nil }
        switch member.value.value {
        case .bool(let flag): return flag
        case .integer(0), .integer(1): return member.value.value == .integer(1)
        case .string(let text):
            if let flag = ["yes": true, "true": true, "1": true, "no": false, "false": false, "0": false][
                text.lowercased()]
            {
                warning(.booleanAsText, "a boolean is written as a string", path, member.value.position)
                return flag
            }
        default: break
        }
        error(.wrongType, "expected a boolean, found \(member.value.kind)", path, member.value.position)
        return nil
    }

    mutating func array(_ node: PropertyNode, _ path: String) -> [PropertyNode] {
        if case .array(let values) = node.value { return values }
        error(.wrongType, "expected an array, found \(node.kind)", path, node.position)
        return []
    }

    mutating func string(_ node: PropertyNode, _ path: String) -> String? {
        if case .string(let text) = node.value { return text }
        error(.wrongType, "expected a string, found \(node.kind)", path, node.position)
        return nil
    }

    mutating func members(_ node: PropertyNode, _ path: String) -> [PropertyNode.Member] {
        if let members = node.members { return members }
        error(.wrongType, "expected a dictionary, found \(node.kind)", path, node.position)
        return []
    }
}

/// A part of a document to which a finding can refer.
protocol DocumentPart {
    var path: String { get }
    var position: SourcePosition? { get }
}

extension PolicyDomain: DocumentPart {}
extension PolicyPin: DocumentPart {}
extension PolicyPinSet: DocumentPart {}
extension PolicyError.Problem: DocumentPart {}

/// An error with its position in XML, in a property list or in source code.
struct SyntaxFault: Error, Hashable, Sendable {
    /// The code of the resulting diagnostic.
    var code: PolicyDiagnostic.Code
    /// The reason, as one sentence.
    var reason: String
    /// The position where reading stopped.
    var position: SourcePosition
}
