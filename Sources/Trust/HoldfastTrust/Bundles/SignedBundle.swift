import HoldfastBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A policy in its signed envelope, as it travels: JSON with the payload's bytes in base64, so that what is signed is
/// exactly what is read. Described in `docs/bundles.md`.
public struct SignedBundle: Hashable, Sendable {
    /// The largest bundle that is read, in bytes.
    public static let maximumSize = 4 << 20
    /// The highest version that is signed and taken: 2^53 - 1, the largest integer that every JSON reader keeps exactly.
    ///
    /// An app refuses every version below the one it has, so a version near the end of the integer range would shut out all later
    /// bundles. Unix seconds fit.
    public static let maximumVersion: Int64 = 9_007_199_254_740_991

    /// The envelope's bytes.
    public let bytes: [UInt8]
    let keyID: String
    let algorithm: BundleAlgorithm
    let payload: [UInt8]
    let signature: [UInt8]

    /// Opens an envelope; nothing in it is verified yet. Throws ``BundleError`` `malformed` or `tooLarge`.
    public init(_ bytes: [UInt8]) throws(BundleError) {
        guard bytes.count <= SignedBundle.maximumSize else {
            throw BundleError(
                .tooLarge, "The bundle has \(bytes.count) bytes; at most \(SignedBundle.maximumSize) are read.")
        }
        let fields = try SignedBundle.fields(
            of: bytes, allowed: ["holdfastBundle", "keyID", "algorithm", "payload", "signature"])
        guard fields["holdfastBundle"] == .number("1") else {
            throw BundleError(.malformed, "The bundle is not of version 1.")
        }
        guard case .string(let keyID) = fields["keyID"], case .string(let name) = fields["algorithm"],
            let algorithm = BundleAlgorithm(rawValue: name), case .string(let payload) = fields["payload"],
            case .string(let signature) = fields["signature"], let payloadBytes = Data(base64Encoded: payload),
            let signatureBytes = Data(base64Encoded: signature)
        else {
            throw BundleError(
                .malformed, "The bundle lacks keyID, algorithm, payload or signature, or one of them is malformed.")
        }
        self.bytes = bytes
        self.keyID = keyID
        self.algorithm = algorithm
        self.payload = Array(payloadBytes)
        self.signature = Array(signatureBytes)
    }

    /// Makes and signs a bundle.
    ///
    /// - Parameters:
    ///   - policy: The policy in Holdfast's own format, as it stands in its file. It is checked first.
    ///   - application: The application that the bundle is for.
    ///   - version: From 1 to ``maximumVersion``; an app takes only a version that is higher than the one it has.
    ///   - allowsEmptyPolicy: Whether a policy that asks for nothing is signed. Apps take it only with the permission
    ///     ``BundlePermissions/unpin``.
    /// - Throws: ``BundleError`` `invalidPolicy` or `malformed`.
    public static func sign(
        policy: [UInt8], application: String, version: Int64, notBefore: Timestamp, notAfter: Timestamp,
        with key: BundleSigningKey, allowsEmptyPolicy: Bool = false
    ) throws(BundleError) -> SignedBundle {
        guard notBefore < notAfter, !application.isEmpty else {
            throw BundleError(.malformed, "A bundle needs an application, and an end after its beginning.")
        }
        guard (1...maximumVersion).contains(version) else {
            throw BundleError(
                .malformed, "The version \(version) is not between 1 and \(maximumVersion), which apps take.")
        }
        let honoured: PinningPolicy
        do throws(PolicyError) { honoured = try PinningPolicy(holdfastJSON: policy) } catch {
            throw BundleError(.invalidPolicy, "The policy cannot be honoured.", problems: error.problems)
        }
        guard allowsEmptyPolicy || !honoured.asksForNothing else {
            throw BundleError(
                .invalidPolicy,
                "The policy asks for nothing: it has no rule with pins, denied key or anchor, and it allows hosts without a rule. "
                    + "Apps take it only with the permission unpin.")
        }
        let payload = Array(
            JSONWriter.text(
                .fields([
                    ("application", .string(application)),
                    ("version", .number(String(version))),
                    ("notBefore", .text(notBefore)),
                    ("notAfter", .text(notAfter)),
                    ("policy", .string(String(decoding: policy, as: UTF8.self))),
                ])
            ).utf8)
        let signature = try key.sign(message(payload, keyID: key.id, key.algorithm))
        let envelope = JSONWriter.text(
            .fields([
                ("holdfastBundle", .number("1")),
                ("keyID", .string(key.id)),
                ("algorithm", .string(key.algorithm.rawValue)),
                ("payload", .string(Data(payload).base64EncodedString())),
                ("signature", .string(Data(signature).base64EncodedString())),
            ]))
        return try SignedBundle(Array(envelope.utf8))
    }

    /// What is signed: a name that no other use of the key shares, then each part behind its length.
    static func message(_ payload: [UInt8], keyID: String, _ algorithm: BundleAlgorithm) -> [UInt8] {
        var message = Array("holdfast pin bundle, version 1\n".utf8)
        for part in [Array(algorithm.rawValue.utf8), Array(keyID.utf8), payload] {
            message += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(part.count) >> (56 - 8 * UInt64($0))) }
            message += part
        }
        return message
    }

    static func fields(of bytes: [UInt8], allowed: Set<String>) throws(BundleError) -> [String: JSONNode.Value] {
        do throws(JSONFault) {
            guard case .object(let members) = try JSONReader.read(bytes).value else {
                throw JSONFault(reason: "an object is expected", position: .start)
            }
            if let unknown = members.first(where: { !allowed.contains($0.key) }) {
                throw JSONFault(
                    reason: "the key \"\(Printable.text(unknown.key))\" is unknown", position: unknown.position)
            }
            return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
        } catch {
            throw BundleError(.malformed, "The bundle cannot be read: \(error.position): \(error.reason).")
        }
    }
}

extension SignedBundle {
    /// What a payload says of itself.
    package struct Claims: Hashable, Sendable {
        /// The application that the bundle is for.
        package var application: String
        /// The version.
        package var version: Int64
    }

    /// Reads the payload without verifying its signature, for the operator's tools. An app must not use it.
    ///
    /// Throws ``BundleError`` `malformed`.
    package func unverifiedClaims() throws(BundleError) -> Claims {
        let fields = try SignedBundle.fields(
            of: payload, allowed: ["application", "version", "notBefore", "notAfter", "policy"])
        guard case .string(let application) = fields["application"], case .number(let digits) = fields["version"],
            let version = Int64(digits)
        else { throw BundleError(.malformed, "The payload has no application or no version.") }
        return Claims(application: application, version: version)
    }
}

/// Why a bundle was not taken. Whatever the reason, the policy in force stays in force.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// More bytes than a bundle may have.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are no bundle.
        public static let malformed = Code(rawValue: "malformed")
        /// No key of the set has the bundle's key id.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The bundle names another algorithm than its key has.
        public static let algorithmMismatch = Code(rawValue: "algorithmMismatch")
        /// The signature is not the key's.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The bundle is for another application.
        public static let wrongApplication = Code(rawValue: "wrongApplication")
        /// Its time has not come.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// Its time is over.
        public static let expired = Code(rawValue: "expired")
        /// A newer version is in force.
        public static let rollback = Code(rawValue: "rollback")
        /// The same version is in force with other contents.
        public static let versionReused = Code(rawValue: "versionReused")
        /// The policy inside cannot be honoured.
        public static let invalidPolicy = Code(rawValue: "invalidPolicy")
        /// The bundle takes back protection, which needs a permission.
        public static let weakensPolicy = Code(rawValue: "weakensPolicy")
        /// The copy on the disk could not be read or written.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// What is wrong with the policy inside, where that is the reason.
    public var problems: [PolicyError.Problem]

    /// Makes an error.
    public init(_ code: Code, _ reason: String, problems: [PolicyError.Problem] = []) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    public var description: String {
        ([reason] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}
