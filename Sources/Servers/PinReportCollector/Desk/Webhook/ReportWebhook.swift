import Crypto
import HoldfastBase
import HoldfastSystem
import HoldfastTransport
import HoldfastTrust

/// The address that is told about new incidents, and the secret that signs the messages.
///
/// Only the operator sets the address. It needs https, except on this machine. Redirects are not followed, no response
/// is stored or shown, and nothing of a report changes the address. A report can therefore not make the collector
/// connect to another server.
public struct ReportWebhook: Sendable, CustomStringConvertible, CustomReflectable {
    /// The minimum length of the secret in bytes.
    public static let minimumBytes = 16
    /// The maximum length of the secret in bytes.
    ///
    /// - Error: `ReportCollectorError.Code.invalidConfiguration`
    private static let maximumBytes = 4_096

    let url: RequestURL
    let secret: SymmetricKey

    /// Creates a webhook.
    ///
    /// - Parameters:
    ///   - url: An https URL; http is allowed on this machine. It contains no user information.
    ///   - secret: The key of the signatures, at least ``minimumBytes`` long. Surrounding white space is removed.
    /// - Throws: ``ReportCollectorError/Code/invalidConfiguration``. The reason contains nothing of the secret.
    public init(url: String, secret: String) throws(ReportCollectorError) {
        let key = secret.utf8.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed()
        guard (Self.minimumBytes...Self.maximumBytes).contains(key.count) else {
            throw ReportCollectorError(
                .invalidConfiguration,
                "The webhook's secret must have \(Self.minimumBytes) to \(Self.maximumBytes) characters. Create one "
                    + "with openssl rand -hex 32.")
        }
        do throws(TransportError) {
            self.url = try RequestURL(url)
        } catch {
            throw ReportCollectorError(.invalidConfiguration, "The webhook's URL cannot be used: \(error.reason)")
        }
        guard self.url.scheme == .https || (self.url.scheme == .http && self.url.host.isLoopback) else {
            throw ReportCollectorError(
                .invalidConfiguration, "The webhook's URL must use https, or name this machine.")
        }
        self.secret = SymmetricKey(data: Array(key))
    }

    /// Creates a webhook whose secret is in a file. Blocks the calling thread.
    public init(url: String, secretFile path: String) throws(ReportCollectorError) {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            bytes = try RegularFile.read(path, limit: Self.maximumBytes)
        } catch {
            throw ReportCollectorError(.invalidConfiguration, error.reason(at: path))
        }
        try self.init(url: url, secret: String(decoding: bytes, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns the signature of a body: `v1=` and HMAC-SHA256 over the time in seconds, a dot and the body.
    func signature(of body: [UInt8], at time: Timestamp) -> String {
        let message = Array("\(time.secondsSince1970).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: message, using: secret)
        return "v1=" + code.withUnsafeBytes { $0.hexadecimal }
    }

    /// A fixed text without the secret.
    public var description: String { "<webhook>" }
    /// A mirror without children, so that a dump does not contain the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
