import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast pin: files") struct PinFileTests {
    let factory = CertificateFactory()
    let folder: TemporaryFolder
    let root: Identity
    let leaf: Identity

    init() throws {
        folder = try TemporaryFolder()
        root = try factory.authority("Root")
        leaf = try factory.leaf(["shop.example", "www.shop.example"], signedBy: root)
    }

    /// Returns the keys that `holdfast pin --json` lists.
    private func keys(_ path: String) async throws -> [PinnedKey] {
        let outcome = await ToolOutcome.of("pin", path, "--json")
        #expect(outcome.status == .success, "\(outcome.notes)")
        return try JSONDecoder().decode(PinOutput.self, from: Data(outcome.output.utf8)).keys
    }

    @Test func aPEMFileListsItsCertificatesInOrder() async throws {
        let file = try folder.file("chain.pem", "A comment.\n" + leaf.certificatePEM + "\n" + root.certificatePEM)
        let outcome = await ToolOutcome.of("pin", file)
        #expect(outcome.status == .success)
        #expect(outcome.notes.isEmpty)
        let text = outcome.output
        #expect(text.contains("2 keys"))
        #expect(text.contains("subject  CN=shop.example"))
        #expect(text.contains("issuer   CN=Root"))
        #expect(text.contains("names    shop.example, www.shop.example"))
        #expect(text.contains("pin      \(leaf.spkiDigest)"))
        #expect(text.contains("pin      \(root.spkiDigest)"))
        #expect(text.contains("(not yet valid)"))

        let keys = try await keys(file)
        #expect(keys.map(\.kind) == ["certificate", "certificate"])
        #expect(keys.map(\.pin) == [leaf.spkiDigest.base64, root.spkiDigest.base64])
        #expect(keys.first?.notAfter == leaf.view.notAfter?.description)
    }

    @Test func derFileIsDetectedByContents() async throws {
        for name in ["leaf.cer", "leaf.pem", "leaf"] {
            let keys = try await keys(try folder.file(name, leaf.certificateDER))
            #expect(keys.map(\.pin) == [leaf.spkiDigest.base64])
        }
    }

    @Test func aPublicKeyHasTheSamePinAsItsCertificate() async throws {
        let info = Array(leaf.view.subjectPublicKeyInfo)
        let body = Data(info).base64EncodedString()
        let pem = "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----\n"
        for file in [try folder.file("key.der", info), try folder.file("key.pem", pem)] {
            let keys = try await keys(file)
            #expect(keys.map(\.pin) == [leaf.spkiDigest.base64])
            #expect(keys.map(\.kind) == ["publicKey"])
            #expect(keys.first?.subject == nil)
        }
    }

    @Test func standardInputIsRead() async throws {
        let outcome = await ToolOutcome.of("pin", "-", input: leaf.certificatePEM)
        #expect(outcome.status == .success)
        #expect(outcome.output.contains(leaf.spkiDigest.description))
        #expect(outcome.output.contains("openssl x509 -noout -pubkey | "))
        await ToolOutcome.of("pin", "-").expectUnusable("standard input is empty")
    }

    @Test(arguments: [
        "not a certificate", "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n", "\u{0}\u{1}",
    ]) func garbageIsReportedInOneSentence(_ text: String) async throws {
        let file = try folder.file("garbage.pem", text)
        await ToolOutcome.of("pin", file).expectUnusable("garbage.pem")
        await ToolOutcome.of("pin", "-", input: text).expectUnusable("standard input")
    }

    @Test func emptyFileIsReportedInOneSentence() async throws {
        await ToolOutcome.of("pin", try folder.file("empty.pem", "")).expectUnusable("empty")
    }

    @Test func aPrivateKeyIsNotPrintedBack() async throws {
        let file = try folder.file("private.pem", leaf.privateKeyPEM)
        let outcome = await ToolOutcome.of("pin", file)
        outcome.expectUnusable("private key")
        let secret = leaf.privateKeyPEM.split(separator: "\n").filter { !$0.hasPrefix("-") }
        #expect(!secret.isEmpty)
        #expect(!secret.contains { outcome.notes.contains($0) })
    }

    @Test func missingFileAndFolderAreReportedInOneSentence() async throws {
        await ToolOutcome.of("pin", folder.path + "/none.pem").expectUnusable("there is no file")
        await ToolOutcome.of("pin", folder.path).expectUnusable(folder.path)
    }

    @Test("a server is a host, a host with a port, or a URL")
    func servers() throws {
        let host = try CanonicalHost("shop.example")
        for text in [
            "shop.example", "shop.example:443", "https://shop.example", "https://shop.example/a?b:8",
            "wss://Shop.Example.",
        ] {
            #expect(try PinTarget(text) == .server(host, port: 443), "\(text)")
        }
        #expect(try PinTarget("https://shop.example:8443/") == .server(host, port: 8443))
        let loopback = try CanonicalHost("::1")
        for text in ["::1", "[::1]", "0:0:0:0:0:0:0:1", "https://[::1]", "wss://[::1]/socket"] {
            #expect(try PinTarget(text) == .server(loopback, port: 443), "\(text)")
        }
        for text in ["[::1]:8443", "https://[::1]:8443/", "wss://[0:0::1]:8443"] {
            #expect(try PinTarget(text) == .server(loopback, port: 8443), "\(text)")
        }
        #expect(try PinTarget("127.0.0.1") == .server(CanonicalHost("127.0.0.1"), port: 443))
        #expect(try PinTarget("localhost") == .server(CanonicalHost("localhost"), port: 443))
        #expect(try PinTarget("WSS://shop.example:65535/a.pem") == .server(host, port: 65535))
    }

    @Test func reportsSourcesThatAreNeitherFileNorServer() async {
        for text in [
            "[::1", "[::1]x", "[::1]:", "ws://shop.example", "https://", "wss://:443",
            "shop.example:", "shop.example:0", "shop.example:65536", ":443", "http://shop.example", "two words:443",
        ] {
            await ToolOutcome.of("pin", text).expectUnusable("not an existing file, and not a valid server")
        }
        // A mistyped name of a certificate file is not resolved as a server.
        for text in ["none.pem", "main.CER", "keys/none"] {
            await ToolOutcome.of("pin", text).expectUnusable("there is no file '\(text)'")
        }
    }

    @Test("several sources are reported one after the other, and as a JSON array")
    func severalSources() async throws {
        let files = [
            try folder.file("leaf.pem", leaf.certificatePEM), try folder.file("root.cer", root.certificateDER),
        ]
        let outcome = await ToolOutcome.of(["pin"] + files)
        #expect(outcome.status == .success)
        let places = [leaf, root].map { outcome.output.range(of: $0.spkiDigest.description)?.lowerBound }
        #expect(places == places.compactMap { $0 }.sorted())
        let json = await ToolOutcome.of(["pin", "--json"] + files)
        let reports = try JSONDecoder().decode([PinOutput].self, from: Data(json.output.utf8))
        #expect(reports.map(\.source) == files)
        await ToolOutcome.of(["pin"] + files + ["none.pem"]).expectUnusable("none.pem")
        #expect(await ToolOutcome.of("pin", "-", "-").status == .usage)
    }
}
