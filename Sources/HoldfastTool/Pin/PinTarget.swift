import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What `holdfast pin` was asked about.
enum PinTarget: Hashable {
    /// A file.
    case file(String)
    /// What comes in through standard input.
    case standardInput
    /// A server that is asked for its certificates.
    case server(CanonicalHost, port: UInt16)

    /// Reads the argument. A file of that name wins over a server of that name.
    init(_ text: String) throws(ToolError) {
        if text == "-" {
            self = .standardInput
        } else if FileManager.default.fileExists(atPath: text) {
            self = .file(text)
        } else if let (host, port) = PinTarget.hostAndPort(text) {
            do throws(HostError) {
                self = .server(try CanonicalHost(host), port: port)
            } catch {
                throw ToolError("'\(text)' is no file, and no server either: \(error.reason)")
            }
        } else {
            throw ToolError("there is no file '\(text)', and a server is written host:port, as in example.com:443")
        }
    }

    /// Splits `host:port` or `[address]:port`; `nil` for anything else.
    private static func hostAndPort(_ text: String) -> (host: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), !text.contains("/") else { return nil }
        let host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !host.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits), port > 0
        else { return nil }
        // Without brackets a colon within the host would leave open where the address ends.
        guard !host.contains(":") || (host.hasPrefix("[") && host.hasSuffix("]")) else { return nil }
        return (String(host), port)
    }
}
