import HTTPTypes
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
@testable import HoldfastTrust
import Logging
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Client certificates, and the key log file.
@Suite struct ClientIdentityTests {
    private let world: PinnedWorld
    private let own: Identity

    init() throws {
        world = try PinnedWorld()
        own = try world.factory.leaf(["device.example.com"], signedBy: world.intermediate)
    }

    private func identity() throws -> ClientIdentity {
        try ClientIdentity(certificates: Array(own.chainPEM.utf8), privateKey: Array(own.privateKeyPEM.utf8))
    }

    @Test(arguments: [ServerTLS.Version.tls12, .tls13])
    func theIdentityIsSentToAServerThatRequestsIt(version: ServerTLS.Version) async throws {
        let seen = Seen()
        var tls = ServerTLS(world.leaf)
        tls.maximumVersion = version
        tls.judgesClient = { seen.note($0) }
        try await ScriptedServer.with(tls: tls) { _ in
            [.respond("known")]
        } _: { server in
            var configuration = world.configuration()
            configuration.clientIdentity = try identity()
            let client = HTTPClient(configuration: configuration)
            #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 9).text == "known")
            #expect(seen.chains == [own.chain])
        }
    }

    /// A refused server never receives the client's certificate.
    @Test(arguments: ScriptedVersion.allCases)
    func aRefusedServerReceivesNoIdentity(version: ScriptedVersion) async throws {
        let seen = Seen()
        var tls = ServerTLS(world.rogue)
        tls.judgesClient = { seen.note($0) }
        try await ScriptedServer.with(tls: tls, version: version) { _ in
            [.respond()]
        } _: { server in
            var configuration = world.configuration()
            configuration.clientIdentity = try identity()
            let client = HTTPClient(configuration: configuration)
            let error = try await transportError {
                _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.code == .trustRefused)
            await server.waitForClosed(1)
            #expect(seen.chains.isEmpty)
        }
    }

    /// A client without an identity sends none: an identity is not shared between clients.
    @Test(arguments: ScriptedVersion.allCases)
    func anotherClientSendsNoIdentity(version: ScriptedVersion) async throws {
        let seen = Seen()
        var tls = ServerTLS(world.leaf)
        tls.judgesClient = { seen.note($0) }
        try await ScriptedServer.with(tls: tls, version: version) { _ in
            [.respond("known")]
        } _: { server in
            var configuration = world.configuration()
            configuration.clientIdentity = try identity()
            _ = try await HTTPClient(configuration: configuration).collect(HTTPRequest(port: server.port), upTo: 9)
            await #expect(throws: TransportError.self) {
                _ = try await HTTPClient(configuration: world.configuration())
                    .collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(seen.chains.count == 1)
        }
    }

    /// A shortened key as `openssl rsa -aes128` writes it. It is refused, not decrypted.
    private static let encryptedOlderKey = """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,3C5E6E2F1A0B4D7788990A1B2C3D4E5F

        q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ
        -----END RSA PRIVATE KEY-----

        """

    private final class Seen: Sendable {
        private let storage = Mutex<[[[UInt8]]]>([])
        var chains: [[[UInt8]]] { storage.withLock(\.self) }
        func note(_ chain: [[UInt8]]) -> Bool {
            storage.withLock { $0.append(chain) }
            return true
        }
    }

    /// Returns the inner part of a PKCS #8 key (RFC 5208, 5): PKCS #1 for RSA (RFC 8017, A.1.2), SEC 1 for elliptic
    /// curves (RFC 5915, 3).
    private func traditional(_ identity: Identity) throws -> String {
        let der = try #require(try PEMReader.blocks(in: Array(identity.privateKeyPEM.utf8)).first).der
        var outer = DERReader(der)
        var reader = DERReader(der, in: try outer.read(0x30).content)
        _ = try reader.read(0x02)
        let isRSA = try der[reader.read(0x30).content].starts(with: DERBytes.objectIdentifier("1.2.840.113549.1.1.1"))
        var inner = Array(der[try reader.read(0x04).content])
        if !isRSA {
            // The curve is part of PKCS #8's outer structure. It is optional inside, and required in a SEC 1 key
            // without PKCS #8.
            var key = DERReader(inner)
            var content = DERReader(inner, in: try key.read(0x30).content)
            let version = inner[try content.read(0x02).whole]
            let secret = inner[try content.read(0x04).whole]
            let curve = DERBytes.context(0, constructed: true, DERBytes.objectIdentifier("1.2.840.10045.3.1.7"))
            inner = DERBytes.sequence([Array(version), Array(secret), curve])
        }
        let label = isRSA ? "RSA PRIVATE KEY" : "EC PRIVATE KEY"
        return "-----BEGIN \(label)-----\n\(Data(inner).base64EncodedString())\n-----END \(label)-----\n"
    }

    /// The formats that OpenSSL wrote before PKCS #8.
    @Test(arguments: [KeyKind.rsa2048, .p256])
    func olderKeysAreRead(kind: KeyKind) async throws {
        var certificate = CertificateOptions()
        certificate.key = try Key.shared(kind, "device")
        let own = try world.factory.leaf(["device.example.com"], signedBy: world.intermediate, certificate)
        let text = try traditional(own)
        #expect(text.contains(kind == .p256 ? "BEGIN EC PRIVATE KEY" : "BEGIN RSA PRIVATE KEY"))
        let seen = Seen()
        var tls = ServerTLS(world.leaf)
        tls.judgesClient = { seen.note($0) }
        try await ScriptedServer.with(tls: tls) { _ in
            [.respond("known")]
        } _: { server in
            var configuration = world.configuration()
            configuration.clientIdentity = try ClientIdentity(
                certificates: Array(own.chainPEM.utf8), privateKey: Array(text.utf8))
            let client = HTTPClient(configuration: configuration)
            #expect(try await client.collect(HTTPRequest(port: server.port), upTo: 9).text == "known")
            #expect(seen.chains == [own.chain])
        }
    }

    @Test func unusableIdentitiesAreTypedErrors() throws {
        let chain = Array(own.chainPEM.utf8)
        let key = Array(own.privateKeyPEM.utf8)
        let encrypted = own.privateKeyPEM.replacing("BEGIN PRIVATE", with: "BEGIN ENCRYPTED PRIVATE")
            .replacing("END PRIVATE", with: "END ENCRYPTED PRIVATE")
        let table: [([UInt8], [UInt8], ClientIdentityError.Code)] = [
            ([], key, .certificate), (Array("-----BEGIN CERTIFICATE-----\n!".utf8), key, .certificate),
            (key, key, .certificate), (chain, [], .key), (chain, chain, .key),
            (chain, key + [0x0A] + key, .key), (chain, key.dropLast(30), .key),
            (chain, Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), .key),
            (chain, Array(encrypted.utf8), .encryptedKey), (chain, Array(Self.encryptedOlderKey.utf8), .encryptedKey),
            (chain, Array(world.leaf.privateKeyPEM.utf8), .keyMismatch),
        ]
        for (certificates, key, code) in table {
            let error = #expect(throws: ClientIdentityError.self) {
                try ClientIdentity(certificates: certificates, privateKey: key)
            }
            #expect(error?.code == code, "\(code)")
        }
        let error = #expect(throws: ClientIdentityError.self) {
            try ClientIdentity(certificateFile: "/nowhere/a.pem", privateKeyFile: "/nowhere/b.pem")
        }
        #expect(error?.code == .unreadableFile)
    }

    @Test func anIdentityIsReadFromFilesAndFromOneText() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "both.pem")
        try (own.chainPEM + "\n" + own.privateKeyPEM).write(to: file, atomically: true, encoding: .utf8)
        _ = try ClientIdentity(certificateFile: file.path, privateKeyFile: file.path)
    }

    @Test func theKeyIsNotInAnyDescription() throws {
        let identity = try identity()
        var dumped = ""
        dump(identity, to: &dumped)
        let lines = own.privateKeyPEM.split(separator: "\n").dropFirst().dropLast()
        for line in lines { #expect(!"\(identity) \(String(reflecting: identity)) \(dumped)".contains(line)) }
    }

    // MARK: Secrets of connections

    @Test func secretsAreWrittenOnlyIfConfigured() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "keys").path
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { server in
            var configuration = world.configuration()
            configuration.dangerouslyKeyLogFile = file
            let recording = RecordingLogHandler()
            let client = HTTPClient(configuration: configuration, logger: recording.logger())
            _ = try await client.collect(HTTPRequest(port: server.port), upTo: 9)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("CLIENT_TRAFFIC_SECRET_0 "))
            #expect(text.hasSuffix("\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(recording.entries.contains { $0.level == .warning && "\($0)".contains("secrets") })
            // A second client adds nothing.
            _ = try await HTTPClient(configuration: world.configuration())
                .collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    /// A file that other users can read or change, or that is a link, is not used for secrets.
    @Test(arguments: [(0o644, false), (0o622, false), (0o660, false), (0o600, true)])
    func aFileAccessibleToOthersIsNotWritten(mode: Int, isLinked: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "keys").path
        #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: mode]))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        if isLinked {
            try FileManager.default.linkItem(atPath: file, toPath: folder.appending(path: "other").path)
        }
        var configuration = world.configuration()
        configuration.dangerouslyKeyLogFile = file
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { [configuration] server in
            let error = try await transportError {
                _ = try await HTTPClient(configuration: configuration).collect(HTTPRequest(port: server.port), upTo: 9)
            }
            #expect(error.code == .invalidConfiguration)
            #expect(server.requests.isEmpty)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).isEmpty)
    }

    /// The file of an earlier run is appended to.
    @Test func aFileOfItsOwnerIsAppendedTo() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        var configuration = world.configuration()
        configuration.dangerouslyKeyLogFile = file
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond("x")]
        } _: { [configuration] server in
            var size = 0
            for _ in 0..<2 {
                _ = try await HTTPClient(configuration: configuration).collect(HTTPRequest(port: server.port), upTo: 9)
                let now = try Data(contentsOf: URL(fileURLWithPath: file)).count
                #expect(now > size)
                size = now
            }
        }
    }

    @Test func anUnwritableFileFailsEveryRequest() async throws {
        var configuration = world.configuration()
        for path in ["/nowhere/keys", "/dev/null", "/tmp"] {
            configuration.dangerouslyKeyLogFile = path
            try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
                [.respond("x")]
            } _: { [configuration] server in
                let error = try await transportError {
                    _ = try await HTTPClient(configuration: configuration)
                        .collect(HTTPRequest(port: server.port), upTo: 9)
                }
                #expect(error.code == .invalidConfiguration)
                #expect(server.requests.isEmpty)
            }
        }
    }
}
