import HTTPTypes
import HoldfastNIO
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Client certificates, and the file with the secrets of connections.
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
    func itIsShownToAServerThatAsks(version: ServerTLS.Version) async throws {
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

    /// A server that is refused never learns who the client is.
    @Test(arguments: ScriptedVersion.allCases)
    func aRefusedServerIsShownNothing(version: ScriptedVersion) async throws {
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

    /// Nothing is shown where nothing is configured: an identity is not remembered across clients.
    @Test(arguments: ScriptedVersion.allCases)
    func anotherClientHasNone(version: ScriptedVersion) async throws {
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

    private final class Seen: Sendable {
        private let storage = Mutex<[[[UInt8]]]>([])
        var chains: [[[UInt8]]] { storage.withLock(\.self) }
        func note(_ chain: [[UInt8]]) -> Bool {
            storage.withLock { $0.append(chain) }
            return true
        }
    }

    @Test func whatCannotBeUsedIsATypedError() throws {
        let chain = Array(own.chainPEM.utf8)
        let key = Array(own.privateKeyPEM.utf8)
        let encrypted = own.privateKeyPEM.replacing("BEGIN PRIVATE", with: "BEGIN ENCRYPTED PRIVATE")
            .replacing("END PRIVATE", with: "END ENCRYPTED PRIVATE")
        let table: [([UInt8], [UInt8], ClientIdentityError.Code)] = [
            ([], key, .certificate), (Array("-----BEGIN CERTIFICATE-----\n!".utf8), key, .certificate),
            (key, key, .certificate), (chain, [], .key), (chain, chain, .key),
            (chain, key + [0x0A] + key, .key), (chain, key.dropLast(30), .key),
            (chain, Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), .key),
            (chain, Array(encrypted.utf8), .encryptedKey),
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

    @Test func itIsReadFromFilesAndFromOneText() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "identity-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "both.pem")
        try (own.chainPEM + "\n" + own.privateKeyPEM).write(to: file, atomically: true, encoding: .utf8)
        _ = try ClientIdentity(certificateFile: file.path, privateKeyFile: file.path)
    }

    @Test func theKeyIsNeverShown() throws {
        let identity = try identity()
        var dumped = ""
        dump(identity, to: &dumped)
        let lines = own.privateKeyPEM.split(separator: "\n").dropFirst().dropLast()
        for line in lines { #expect(!"\(identity) \(String(reflecting: identity)) \(dumped)".contains(line)) }
    }

    // MARK: Secrets of connections

    @Test func secretsAreWrittenOnlyWhereAskedFor() async throws {
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
            // Another client adds nothing.
            _ = try await HTTPClient(configuration: world.configuration())
                .collect(HTTPRequest(port: server.port), upTo: 9)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
    }

    @Test func aFileThatCannotBeWrittenFailsEveryRequest() async throws {
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
