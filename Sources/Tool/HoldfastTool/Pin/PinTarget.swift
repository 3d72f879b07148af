import HoldfastBase
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

    /// Extensions of key and certificate files that are not top-level domains.
    private static let fileExtensions: Set<String> = ["pem", "cer", "crt", "der", "key", "csr", "p7b", "p12", "pfx"]

    /// Reads the argument: `-`, a file, a host, `host:port`, or an `https` or `wss` URL. A file of that name wins over a server of
    /// that name. The port is 443 if none is given.
    init(_ text: String) throws(ToolError) {
        if text == "-" {
            self = .standardInput
            return
        }
        if FileManager.default.fileExists(atPath: text) {
            self = .file(text)
            return
        }
        guard !PinTarget.isPath(text) else { throw ToolError("there is no file '\(Printable.text(text))'") }
        do throws(ToolError) {
            let target = try ProbeTarget(text)
            self = .server(target.host, port: target.port)
        } catch {
            throw ToolError("there is no such file, and this is not a server either: \(error.sentence)")
        }
    }

    /// Whether a text can only mean a file: it has a slash and is not a URL, or it ends as certificate files do.
    private static func isPath(_ text: String) -> Bool {
        guard !text.contains("://") else { return false }
        guard !text.contains("/") else { return true }
        guard let dot = text.lastIndex(of: ".") else { return false }
        return fileExtensions.contains(text[text.index(after: dot)...].lowercased())
    }
}
