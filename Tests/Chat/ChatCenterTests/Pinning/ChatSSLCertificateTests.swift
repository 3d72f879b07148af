import ChatCenter
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@Suite struct ChatSSLCertificateTests {
    let folder: TemporaryFolder
    let identity: Identity

    init() throws {
        folder = try TemporaryFolder()
        identity = try CertificateFactory().leaf(["chat.example"], signedBy: nil)
    }

    @Test(
        "seed 0.24: DER is read with any extension",
        arguments: ["main.cer", "main.der", "main.crt", "main", "main.pem"])
    func derWithAnyExtension(name: String) throws {
        let url = try folder.write(name, identity.certificateDER)
        let certificate = ChatSSLCertificate(contentsOf: url)
        #expect(certificate.loadError == nil)
        #expect(certificate.spkiDigest == identity.spkiDigest)
        #expect(try ChatSSLCertificate(loading: url).spkiDigest == identity.spkiDigest)
    }

    @Test("a certificate becomes a pin for evaluators and policies, and an unreadable one throws its error")
    func pins() throws {
        let url = try folder.write("main.cer", identity.certificateDER)
        let certificate = ChatSSLCertificate(contentsOf: url)
        #expect(try certificate.pin() == identity.spkiDigest)
        #expect(try Array(certificate.derData()) == identity.certificateDER)
        #expect(try PinSet(keysOf: [certificate]) == PinSet(keys: [identity.spkiDigest]))
        #expect(try PublicKeyPinningEvaluator(keysOf: [certificate]).pinnedKeyHashes == [identity.spkiDigest.data])
        #expect(try CertificatePinningEvaluator(pinning: [certificate]).pinnedCertificates == [certificate.derData()])
        let missing = ChatSSLCertificate(contentsOf: folder.url.appendingPathComponent("none.cer"))
        #expect(throws: CertificateError.self) { try missing.pin() }
        #expect(throws: CertificateError.self) { try PinSet(keysOf: [certificate, missing]) }
    }

    @Test("seeds 0.25, 0.26: PEM is refused by the documented initializer, with the command that converts it")
    func pem() throws {
        let url = try folder.write("my cert.cer", identity.certificatePEM.utf8)
        let certificate = ChatSSLCertificate(contentsOf: url)
        let error = try #require(certificate.loadError)
        #expect(error.code == .pemGiven)
        #expect(error.reason.contains("openssl x509 -in '\(url.path)' -outform DER -out '"))
        #expect(certificate.spkiDigest == nil)
        #expect(try ChatSSLCertificate(loading: url).spkiDigest == identity.spkiDigest)
    }

    @Test("seed 0.28: an invalid certificate is stored by one initializer and thrown by the other")
    func garbage() throws {
        let cases: [(String, [UInt8], [CertificateError.Code])] = [
            ("empty.cer", [], [.empty]),
            ("text.cer", Array("hello".utf8), [.malformedDER, .notACertificate]),
            ("cut.cer", Array(identity.certificateDER.dropLast(5)), [.malformedDER, .notACertificate]),
            ("long.cer", identity.certificateDER + [0], [.malformedDER, .notACertificate]),
            ("sequence.cer", [0x30, 0x00], [.malformedDER, .notACertificate]),
            ("large.cer", [UInt8](repeating: 0x30, count: 2 << 20), [.tooLarge]),
        ]
        for (name, bytes, codes) in cases {
            let url = try folder.write(name, bytes)
            let error = try #require(ChatSSLCertificate(contentsOf: url).loadError, "\(name)")
            #expect(codes.contains(error.code), "\(name): \(error)")
            #expect(error.reason.contains(name) || error.code == .empty, "\(error)")
            #expect(throws: CertificateError.self) { try ChatSSLCertificate(loading: url) }
        }
    }

    @Test("a missing file, a folder and a web address are unreadable files")
    func missing() throws {
        let urls = [
            folder.url.appendingPathComponent("none.cer"), folder.url,
            try #require(URL(string: "https://x.example/c.cer")),
        ]
        for url in urls {
            #expect(ChatSSLCertificate(contentsOf: url).loadError?.code == .unreadableFile)
            #expect(throws: CertificateError.self) { try ChatSSLCertificate(loading: url) }
        }
    }

    @Test("a PEM file with two certificates is refused")
    func twoCertificates() throws {
        let other = try CertificateFactory().leaf(["other.example"], signedBy: nil)
        let url = try folder.write("two.pem", (identity.certificatePEM + "\n" + other.certificatePEM).utf8)
        #expect(throws: CertificateError.self) { try ChatSSLCertificate(loading: url) }
    }

    @Test("seeds 0.27, 0.35: the error for a missing resource names it and the correct split of its name")
    func resource() throws {
        let url = try folder.write("main.cer", identity.certificateDER)
        let bundle = try #require(Bundle(path: url.deletingLastPathComponent().path))
        let found = try ChatSSLCertificate(resource: "main", withExtension: "cer", in: bundle)
        #expect(found.spkiDigest == identity.spkiDigest)

        for fileExtension in [nil, "cer"] as [String?] {
            let error = #expect(throws: ChatSSLCertificateError.self) {
                try ChatSSLCertificate(resource: "backup.cer", withExtension: fileExtension, in: bundle)
            }
            #expect(error?.code == .missingResource)
            #expect(error?.suggestion == ChatSSLCertificateError.Split(resource: "backup", fileExtension: "cer"))
            #expect(error?.reason.contains("resource: \"backup\", withExtension: \"cer\"") == true)
        }
        let plain = #expect(throws: ChatSSLCertificateError.self) {
            try ChatSSLCertificate(resource: "backup", withExtension: "cer", in: bundle)
        }
        #expect(plain?.suggestion == nil)
        #expect(plain?.reason.contains("backup.cer") == true)
    }

    @Test("the error for an invalid resource states the reason")
    func unreadableResource() throws {
        _ = try folder.write("bad.cer", Array("nothing".utf8))
        let bundle = try #require(Bundle(path: folder.url.path))
        let error = #expect(throws: ChatSSLCertificateError.self) {
            try ChatSSLCertificate(resource: "bad", withExtension: "cer", in: bundle)
        }
        #expect(error?.code == .unreadable)
        #expect(error?.underlying != nil)
    }

    @Test("a required list cannot be empty or contain an unreadable certificate")
    func requiring() throws {
        let good = ChatSSLCertificate(contentsOf: try folder.write("good.cer", identity.certificateDER))
        let bad = ChatSSLCertificate(contentsOf: try folder.write("bad.cer", Array("x".utf8)))
        #expect(try SSLPinningConfig(requiring: [good]).trustedCertificates == [good])
        let empty = #expect(throws: SSLPinningConfigError.self) { try SSLPinningConfig(requiring: []) }
        #expect(empty?.code == .noCertificates)
        let unreadable = #expect(throws: SSLPinningConfigError.self) { try SSLPinningConfig(requiring: [good, bad]) }
        #expect(unreadable?.code == .unreadableCertificates)
        #expect(unreadable?.unreadable.map(\.source) == [bad.source])
    }
}
