import HoldfastBase

/// A public key that may sign lists of logs. It cannot sign bundles, halts or timestamps of bundles.
public struct LogListKey: Hashable, Sendable {
    let key: BundleKey

    /// The name by which signed lists refer to the key.
    public var id: String { key.id }

    /// Creates a key from the SubjectPublicKeyInfo, in PEM or DER, of an Ed25519 or P-256 key.
    ///
    /// - Throws: ``BundleError`` with the code `unknownKey`.
    public init(id: String, publicKey bytes: [UInt8]) throws(BundleError) {
        key = try BundleKey(id: id, publicKey: bytes)
    }
}

/// A list of logs in a signed envelope, for apps that receive their list over the network.
///
/// The envelope has the form of a halt's. Its signature covers a prefix of its own, so that a signature of another kind
/// is never valid for a list, even under the same key. The envelope has no version and no dates of its own: the time of
/// ``TransparencyLogList/issued`` is signed with the list, orders lists, and limits their age.
public struct SignedLogList: Hashable, Sendable {
    /// The maximum size of an envelope in bytes.
    ///
    /// - Error: `BundleError.Code.tooLarge`
    public static let maximumSize = SignedStatement.maximumLogListSize

    /// The application for which the list was signed.
    public let application: String
    /// The list.
    public let list: TransparencyLogList
    /// The bytes of the envelope.
    public let bytes: [UInt8]

    private static let members: Set<String> = ["application", "list"]

    /// Verifies the signature of an envelope and reads its list. Does not compare the list with the time or with an
    /// earlier one: see ``TransparencyLogHolder/replace(with:)``.
    ///
    /// - Throws: ``BundleError``, with the code `malformed` if the list cannot be read.
    public init(_ bytes: [UInt8], keys: [LogListKey], application: String) throws(BundleError) {
        let statement = try SignedStatement(bytes, .logList)
        let fields = try statement.verified(by: keys.map(\.key), allowed: SignedLogList.members)
        guard case .string(let name) = fields["application"], case .string(let text) = fields["list"] else {
            throw BundleError(.malformed, "A part of the signed list of logs is missing or malformed.")
        }
        guard name == application else {
            throw BundleError(
                .wrongApplication, "The list of logs is for \"\(Printable.text(name))\", not for \"\(application)\".")
        }
        self.application = name
        self.bytes = bytes
        do throws(TransparencyLogListError) { list = try TransparencyLogList(json: Array(text.utf8)) } catch {
            throw BundleError(.malformed, "The signed list of logs cannot be read.", problems: error.problems)
        }
    }

    /// Signs a list of logs, in Google's or Holdfast's format, for an application. The list is read before it is
    /// signed.
    ///
    /// - Throws: ``BundleError``, with the code `malformed` if the list cannot be read or the application is empty.
    public static func sign(
        list json: [UInt8], application: String, with key: BundleSigningKey
    ) throws(BundleError) -> [UInt8] {
        guard !application.isEmpty else { throw BundleError(.malformed, "A list of logs needs an application.") }
        do throws(TransparencyLogListError) { _ = try TransparencyLogList(json: json) } catch {
            throw BundleError(.malformed, "The list of logs cannot be read.", problems: error.problems)
        }
        return try SignedStatement.sign(
            [("application", .string(application)), ("list", .string(String(decoding: json, as: UTF8.self)))],
            .logList, with: key)
    }
}
