import Foundation
import HoldfastTestSupport
import ServerKit
import Testing

/// Which TLS identities a server accepts, and how it reports invalid ones.
@Suite("Server identity")
struct ServerIdentityTests {
    private typealias Subject = ServerIdentity<TestError>

    private let leaf: Identity
    private let other: Identity

    init() throws {
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        leaf = try factory.leaf(["localhost"], signedBy: root)
        other = try factory.leaf(["localhost"], signedBy: root)
    }

    @Test("A chain and its key can be read from bytes and from files, with the same result")
    func taken() throws {
        let (chain, key) = (Array(leaf.chainPEM.utf8), Array(leaf.privateKeyPEM.utf8))
        #expect(try Subject(certificates: chain, privateKey: key).chain == leaf.chain)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("holdfast-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (chainFile, keyFile) = (folder.appendingPathComponent("chain"), folder.appendingPathComponent("key"))
        try Data(chain).write(to: chainFile)
        try Data(key).write(to: keyFile)
        let identity = try Subject(certificateFile: chainFile.path, privateKeyFile: keyFile.path)
        #expect(identity.chain == leaf.chain)
        #expect(identity.privateKey == key)

        for (certificates, key, named) in [(keyFile, keyFile, keyFile), (chainFile, chainFile, chainFile)] {
            let error = #expect(throws: TestError.self) {
                try Subject(certificateFile: certificates.path, privateKeyFile: key.path)
            }
            #expect(error?.failure.code == .unusableIdentity)
            #expect(error?.failure.path == named.path)
        }
    }

    @Test("Another certificate's key, a text that is not a key, and an empty chain are refused")
    func refused() throws {
        let key = Array(leaf.privateKeyPEM.utf8)
        for (chain, key) in [
            ([], key), (leaf.chain, Array("no key".utf8)), ([[1, 2, 3]], key),
            (leaf.chain, Array(other.privateKeyPEM.utf8)),
        ] {
            let error = #expect(throws: TestError.self) { try Subject(chain: chain, privateKey: key) }
            #expect(error?.failure.code == .unusableIdentity)
            #expect(error?.failure.reason.contains("PRIVATE KEY") == false)
        }
    }
}
