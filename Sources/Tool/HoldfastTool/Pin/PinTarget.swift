import HoldfastBase
import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A source that was given to `holdfast pin`.
enum PinTarget: Hashable {
    /// A file.
    case file(String)
    /// Standard input.
    case standardInput
    /// A server that presents certificates.
    case server(CanonicalHost, port: UInt16)

    /// Extensions of key and certificate files that are not top-level domains.
    private static let fileExtensions: Set<String> = ["pem", "cer", "crt", "der", "key", "csr", "p7b", "p12", "pfx"]

    /// Parses the argument: `-`, a file, a host, `host:port`, or an `https` or `wss` URL. An existing file wins over a
    /// server of the same name. The default port is 443.
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
            throw ToolError("not an existing file, and not a valid server: \(error.sentence)")
        }
    }

    /// Returns whether a text can only be a file: it contains a slash and is not a URL, or it has a certificate file's
    /// extension.
    private static func isPath(_ text: String) -> Bool {
        guard !text.contains("://") else { return false }
        guard !text.contains("/") else { return true }
        guard let dot = text.lastIndex(of: ".") else { return false }
        return fileExtensions.contains(text[text.index(after: dot)...].lowercased())
    }
}
