import HoldfastBase
import HoldfastTrust

/// The server to probe: a host and a port.
struct ProbeTarget: Hashable, Sendable, CustomStringConvertible {
    /// The host, in canonical form.
    var host: CanonicalHost
    /// The TCP port.
    var port: UInt16
}

extension ProbeTarget {
    /// Parses `host`, `host:port`, an IPv6 address with or without brackets (with a port: with brackets), or a URL of
    /// `https:` or `wss:`, whose path is ignored. The default port is 443. Throws one sentence, which omits everything
    /// before an `@`, because that may be a password.
    init(_ text: String) throws(ToolError) {
        do throws(ToolError) {
            try self.init(reading: text)
        } catch {
            guard text.contains("@") else { throw error }
            throw ToolError(
                "the address of '\(Self.withoutCredentials(text))' contains credentials or another @: omit them",
                status: .usage)
        }
    }

    private init(reading text: String) throws(ToolError) {
        let shown = Printable.text(text)
        var rest = text[...]
        if let mark = text.firstRange(of: "://") {
            let scheme = text[..<mark.lowerBound].lowercased()
            guard scheme == "https" || scheme == "wss" else {
                throw ToolError("'\(shown)' cannot be probed: only https and wss use certificates", status: .usage)
            }
            rest = text[mark.upperBound...].prefix { !"/?#".contains($0) }
        }
        let (name, digits) = try Self.split(rest, shown)
        port = 443
        if let digits {
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                throw ToolError(
                    "'\(shown)': '\(Printable.text(String(digits)))' is not a valid port: use 1 to 65535",
                    status: .usage)
            }
            port = number
        }
        host = try ToolError.explaining("'\(shown)' is not a server: ", status: .usage, CanonicalHost(String(name)))
    }

    private static func split(
        _ text: Substring, _ shown: String
    ) throws(ToolError) -> (name: Substring, port: Substring?) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else {
                throw ToolError("'\(shown)': a bracket is not closed", status: .usage)
            }
            let after = text[text.index(after: end)...]
            guard after.isEmpty || after.first == ":" else {
                throw ToolError("'\(shown)': only a colon and a port may follow the bracket", status: .usage)
            }
            return (text[...end], after.isEmpty ? nil : after.dropFirst())
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        // An address without brackets has no port, because its last colon would be ambiguous.
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    private static func withoutCredentials(_ text: String) -> String {
        Printable.text(String(text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""))
    }

    /// The name sent in the handshake (RFC 6066, section 3); `nil` for an IP address, which is not sent.
    var serverName: String? { host.isIPLiteral ? nil : host.text }

    /// `host:port`, with brackets around an IPv6 address.
    var description: String { host.text.contains(":") ? "[\(host.text)]:\(port)" : "\(host.text):\(port)" }
}

/// Reads the servers of one run, without duplicates.
enum ProbeTargetList {
    /// The maximum number of servers in one run.
    ///
    /// - Error: exit code 2
    static let countLimit = 1_000
    /// The maximum size of a file of servers in bytes.
    ///
    /// - Error: exit code 2
    static let sizeLimit = 1024 * 1024

    /// Returns the servers of the command line, then those of a file. Throws one sentence, with the line number for the
    /// file.
    static func read(_ arguments: [String], file: (name: String, bytes: [UInt8])?) throws(ToolError) -> [ProbeTarget] {
        var targets: [ProbeTarget] = []
        var seen: Set<ProbeTarget> = []
        func add(_ target: ProbeTarget) throws(ToolError) {
            guard seen.insert(target).inserted else { return }
            targets.append(target)
            guard targets.count <= countLimit else {
                throw ToolError("there are more than \(countLimit) servers", status: .unusableInput)
            }
        }
        for argument in arguments { try add(try ProbeTarget(argument)) }
        if let file {
            guard let text = String(validating: file.bytes, as: UTF8.self) else {
                throw ToolError("\(file.name) is not UTF-8")
            }
            let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            for (number, line) in lines.enumerated() {
                let entry = line.prefix { $0 != "#" }.trimming(while: \.isWhitespace)
                if entry.isEmpty { continue }
                do throws(ToolError) {
                    try add(try ProbeTarget(String(entry)))
                } catch {
                    throw ToolError("\(file.name):\(number + 1): \(error.sentence)")
                }
            }
        }
        guard !targets.isEmpty else { throw ToolError("there is no server to probe", status: .usage) }
        return targets
    }
}

extension Substring {
    func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest
    }
}
