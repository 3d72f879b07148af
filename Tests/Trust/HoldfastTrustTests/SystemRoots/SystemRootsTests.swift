import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTrust

@Suite("System roots")
struct SystemRootsTests {
    let first: Identity
    let second: Identity

    init() throws {
        let factory = CertificateFactory()
        first = try factory.authority("First root")
        second = try factory.authority("Second root")
    }

    private func load(
        files: [String] = [], folders: [String] = [], named: Bool = false
    ) throws(SystemRootsError) -> SystemRoots {
        try SystemRoots.load(
            from: RootLocations(files: files, folders: folders, variables: named ? ["SSL_CERT_FILE"] : []))
    }

    private func error(loading locations: RootLocations) -> SystemRootsError? {
        do throws(SystemRootsError) {
            _ = try SystemRoots.load(from: locations)
            return nil
        } catch {
            return error
        }
    }

    @Test("skips and reports an invalid root, and keeps the others")
    func badRoot() throws {
        try TemporaryFolder.use { folder in
            let bundle = """
                # First root
                \(first.certificatePEM)
                -----BEGIN CERTIFICATE-----
                AAECAwQ=
                -----END CERTIFICATE-----
                -----BEGIN CERTIFICATE-----
                not base64!
                -----END CERTIFICATE-----
                -----BEGIN TRUSTED CERTIFICATE-----
                AAECAwQ=
                -----END TRUSTED CERTIFICATE-----
                \(second.certificatePEM)
                """
            let path = try folder.write(bundle, to: "bundle.crt")
            let roots = try load(files: [path])
            #expect(roots.certificates == [first.view, second.view])
            #expect(roots.sources == [path])
            #expect(roots.source == path)
            #expect(roots.skipped.map(\.path) == [path, path, path])
            #expect(roots.skipped.map(\.error.code) == [.malformedDER, .malformedPEM, .notACertificate])
            let lines = first.certificatePEM.split(separator: "\n").count
            #expect(roots.skipped.map(\.line) == [2 + lines, nil, 8 + lines])
            #expect(roots.description == "2 roots from \(path); 3 skipped")
            #expect(!roots.overriddenByEnvironment)
        }
    }

    @Test("keeps the store if the key of a root is not supported")
    func unknownKey() throws {
        try TemporaryFolder.use { folder in
            let info = DERBytes.sequence([
                DERBytes.sequence([DERBytes.objectIdentifier("1.3.6.1.4.1.99999.2")]), DERBytes.bitString([1, 2, 3]),
            ])
            let odd = try CertificateFactory().authority("Odd", .with { $0.publicKeyInfo = info })
            let path = try folder.write(odd.certificatePEM + "\n" + first.certificatePEM, to: "bundle.crt")
            #expect(try load(files: [path]).certificates == [odd.view, first.view])
        }
    }

    @Test("uses the first bundle with a usable root, and skips missing and empty ones")
    func firstBundle() throws {
        try TemporaryFolder.use { folder in
            let empty = try folder.write("# nothing\n", to: "empty.crt")
            let one = try folder.write(first.certificatePEM, to: "one.crt")
            let two = try folder.write(second.certificatePEM, to: "two.crt")
            let roots = try load(files: [folder.path("missing"), empty, one, two])
            #expect(roots.certificates == [first.view])
            #expect(roots.sources == [one])
            #expect(roots.skipped.map(\.path) == [empty])
        }
    }

    @Test("uses folders if there is no bundle, and counts linked files once")
    func folders() throws {
        try TemporaryFolder.use { folder in
            let certificates = try folder.makeFolder("certs")
            try folder.write(first.certificatePEM, to: "certs/first.pem")
            try folder.write(second.certificateDER, to: "certs/second.cer")
            try folder.write("read me", to: "certs/README")
            _ = try folder.makeFolder("certs/java")
            try folder.write(first.certificatePEM, to: "certs/java/ignored.pem")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("certs/0a1b2c3d.0"), withDestinationPath: "first.pem")
            let roots = try load(files: [folder.path("missing")], folders: [folder.path("none"), certificates])
            #expect(Set(roots.certificates) == [first.view, second.view])
            #expect(roots.sources == [certificates])
            #expect(roots.skipped.map(\.path) == [certificates + "/README"])

            let bundle = try folder.write(second.certificatePEM, to: "bundle.crt")
            #expect(try load(files: [bundle], folders: [certificates]).certificates == [second.view])
        }
    }

    @Test("reads all named locations and reports their problems")
    func named() throws {
        try TemporaryFolder.use { folder in
            let certificates = try folder.makeFolder("certs")
            try folder.write(second.certificatePEM, to: "certs/second.pem")
            let missing = folder.path("missing.pem")
            let roots = try load(files: [missing], folders: [certificates], named: true)
            #expect(roots.certificates == [second.view])
            #expect(roots.skipped.map(\.path) == [missing])
            #expect(roots.overriddenByEnvironment)
            #expect(roots.description.contains("named by SSL_CERT_FILE"))
        }
    }

    @Test("the error for a store without a root names the searched locations and a remedy")
    func empty() throws {
        try TemporaryFolder.use { folder in
            let garbage = try folder.write("garbage", to: "garbage.crt")
            let unnamed = try #require(error(loading: RootLocations(files: [garbage], folders: [])))
            #expect(unnamed.code == .noRoots)
            #expect(unnamed.searched == [garbage])
            #expect(unnamed.skipped.map(\.error.code) == [.malformedDER])
            #expect(unnamed.reason.contains("ca-certificates") && unnamed.reason.contains(garbage))

            let named = error(
                loading: RootLocations(files: [garbage], folders: ["/nowhere"], variables: ["SSL_CERT_FILE"]))
            #expect(named?.code == .noRoots)
            #expect(named?.skipped.map(\.error.code) == [.malformedDER, .unreadableFile])
            #expect(named?.reason.contains("SSL_CERT_FILE names") == true)
            #expect(error(loading: RootLocations(files: [], folders: []))?.code == .noRoots)
        }
    }

    @Test("counts a duplicate root once")
    func duplicates() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM + "\n" + first.certificatePEM, to: "bundle.crt")
            #expect(try load(files: [path]).certificates == [first.view])
        }
    }

    @Test("limits the report for a bundle with many damaged certificates")
    func boundedReport() throws {
        try TemporaryFolder.use { folder in
            let bad = String(
                repeating: "-----BEGIN CERTIFICATE-----\nAAE\n-----END CERTIFICATE-----\n",
                count: SystemRoots.skippedLimit + 10)
            let path = try folder.write(bad + first.certificatePEM, to: "bundle.crt")
            let roots = try load(files: [path])
            #expect(roots.certificates == [first.view])
            #expect(roots.skipped.count == SystemRoots.skippedLimit)
        }
    }

    @Test(
        "reads the locations from OpenSSL's variables",
        arguments: [
            ([:], RootLocations.wellKnown),
            (["SSL_CERT_FILE": ""], .wellKnown),
            (["SSL_CERT_DIR": ":"], .wellKnown),
            (["SSL_CERT_FILE": "/a"], RootLocations(files: ["/a"], folders: [], variables: ["SSL_CERT_FILE"])),
            (["SSL_CERT_DIR": "/a:/b"], RootLocations(files: [], folders: ["/a", "/b"], variables: ["SSL_CERT_DIR"])),
            (
                ["SSL_CERT_FILE": "/a", "SSL_CERT_DIR": "/b"],
                RootLocations(files: ["/a"], folders: ["/b"], variables: ["SSL_CERT_FILE", "SSL_CERT_DIR"])
            ),
        ] as [([String: String], RootLocations)])
    func variables(environment: [String: String], expected: RootLocations) {
        #expect(RootLocations(environment: environment) == expected)
    }

    #if !canImport(Darwin)
    @Test("uses the locations from the environment")
    func environment() throws {
        try TemporaryFolder.use { folder in
            let path = try folder.write(first.certificatePEM, to: "only.pem")
            let roots = try SystemRoots.load(environment: ["SSL_CERT_FILE": path])
            #expect(roots.certificates == [first.view])
            #expect(roots.variables == ["SSL_CERT_FILE"])
            // The variable replaces the machine's own roots, even if its path does not exist.
            let lost = #expect(throws: SystemRootsError.self) {
                try SystemRoots.load(environment: ["SSL_CERT_FILE": path + ".missing"])
            }
            #expect(lost?.code == .noRoots)
        }
    }
    #endif
}
