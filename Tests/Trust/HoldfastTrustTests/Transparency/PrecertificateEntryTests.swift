import Foundation
import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Runs Python, to compare with an independent implementation.
private enum PythonProgram {
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment["HOLDFAST_PYTHON"]
        return [environment, "/usr/bin/python3", "/usr/local/bin/python3"].compactMap(\.self).first { path in
            (try? run(path, ["-c", "import cryptography.x509"], in: FileManager.default.temporaryDirectory)) != nil
        }
    }()

    static func run(_ program: String, _ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: data, as: UTF8.self)
    }
}

/// The log entry of a certificate must have the same bytes as the TBSCertificate that the log has signed.
@Suite("Reconstruction of precertificates") struct PrecertificateEntryTests {
    let world: TransparencyScene
    private var factory: CertificateFactory { world.scene.factory }

    init() throws {
        world = try TransparencyScene()
    }

    /// Returns options with only these extensions, in this order.
    private func options(_ extensions: [ExtraExtension]) throws -> CertificateOptions {
        try .with { options in
            options.omitting = Set(StandardExtension.allCases)
            options.extraExtensions = extensions
            options.key = try Key()
            options.serial = [1, 2, 3, 4]
        }
    }

    private let first = ExtraExtension("1.2.3.4", value: [0x04, 0x01, 0x07])
    private let second = ExtraExtension("1.2.3.5", isCritical: true, value: [0x05, 0x00])

    @Test("the extension is removed from every place, with its order kept", arguments: 0...2)
    func place(_ position: Int) throws {
        let options = try options([first, second])
        let bare = try factory.leaf([], signedBy: world.issuing, options)
        let logged = try factory.loggedLeaf(
            [], signedBy: world.issuing, options, logs: [world.oak], position: position)
        #expect(logged.certificateDER != bare.certificateDER)
        let entry = try PrecertificateEntry(logged.view, issuer: world.issuing.view)
        #expect(entry.tbs == bare.tbs)
        #expect(entry.issuerKeyHash == world.issuing.key.spkiDigest.bytes)
        // The order matters: the entry of the swapped extensions differs.
        let swapped = try factory.leaf(
            [], signedBy: world.issuing,
            .with { copy in
                copy = options
                copy.extraExtensions = [second, first]
            })
        #expect(entry.tbs != swapped.tbs)
    }

    @Test(
        "lengths of every form are encoded again",
        arguments: [0, 100, 118, 119, 120, 126, 127, 128, 250, 255, 256, 65_530])
    func lengths(_ size: Int) throws {
        let long = ExtraExtension("1.2.3.6", value: DERBytes.octetString(Array(repeating: 9, count: size)))
        let options = try options([long])
        let bare = try factory.leaf([], signedBy: world.issuing, options)
        let logged = try factory.loggedLeaf([], signedBy: world.issuing, options, logs: [world.oak, world.elm])
        #expect(try PrecertificateEntry(logged.view, issuer: world.issuing.view).tbs == bare.tbs)
    }

    @Test("the poison extension is removed too")
    func poison() throws {
        let options = try options([first])
        let bare = try factory.leaf([], signedBy: world.issuing, options)
        var poisoned = options
        poisoned.extraExtensions = [TestLog.poison, first]
        let precertificate = try factory.leaf([], signedBy: world.issuing, poisoned)
        #expect(try PrecertificateEntry(precertificate.view, issuer: world.issuing.view).tbs == bare.tbs)
    }

    @Test("a certificate without other extensions has no list of extensions in its entry")
    func onlyTimestamps() throws {
        let options = try options([])
        let bare = try factory.leaf([], signedBy: world.issuing, options)
        let logged = try factory.loggedLeaf([], signedBy: world.issuing, options, logs: [world.oak])
        #expect(try PrecertificateEntry(logged.view, issuer: world.issuing.view).tbs == bare.tbs)
    }

    @Test("the extension twice is refused")
    func twice() throws {
        let logged = try factory.loggedLeaf(
            [], signedBy: world.issuing, .with { $0.extraExtensions = [TestLog.embedded([[1]])] }, logs: [world.oak])
        #expect(throws: DERFault.self) { try PrecertificateEntry(logged.view, issuer: world.issuing.view) }
        #expect(throws: SCTListError.self) { try EmbeddedTimestamps(logged.view) }
        #expect(logged.view.defects.count == 1)
    }

    /// RFC 6962, 3.1: a special certificate signs the precertificate. The log replaces the issuer and the authority key
    /// identifier by those of the final issuer, so that its entry is the final TBSCertificate.
    @Test("a precertificate signing certificate changes nothing")
    func signingCertificate() throws {
        var options = CertificateOptions()
        options.key = try Key()
        options.serial = [5, 6, 7]
        let special = try factory.intermediate(
            "Precertificate signing", signedBy: world.issuing,
            .with { $0.extendedKeyUsages = [.other("1.3.6.1.4.1.11129.2.4.4")] })
        // The issuer and the key identifier of the final issuer, as the log writes them.
        var replaced = options
        replaced.issuer = world.issuing.subject
        replaced.authorityKeyIdentifier = world.issuing.subjectKeyIdentifier
        let entry = try factory.leaf([TrustScene.host], signedBy: special, replaced).tbs
        let hash = world.issuing.spkiDigest.bytes
        let milliseconds = UInt64(world.now.secondsSince1970 - 60) * 1_000
        let timestamps = try [world.oak, world.elm].map {
            try $0.timestamp(over: entry, issuerKeyHash: hash, milliseconds: milliseconds)
        }
        options.extraExtensions = [TestLog.embedded(timestamps)]
        let server = try factory.leaf([TrustScene.host], signedBy: world.issuing, options)
        #expect(try world.verdict(on: server).permitsConnection)
        // The special certificate cannot issue a server's certificate: its purpose does not allow TLS.
        let misused = try factory.leaf([TrustScene.host], signedBy: special, options)
        #expect(
            try world.scene.system([misused, special, world.issuing], anchors: [world.root]).finding.code
                == .extendedKeyUsage)
    }

    @Test("the signed message has the form of RFC 6962")
    func message() throws {
        let logged = try factory.loggedLeaf([], signedBy: world.issuing, try options([first]), logs: []) {
            $0 = [
                try world.oak.timestamp(
                    over: [], issuerKeyHash: [], milliseconds: 0x0102_0304_0506, extensions: [7, 8])
            ]
        }
        let timestamp = try #require(try EmbeddedTimestamps(logged.view)?.timestamps.first)
        #expect(timestamp.milliseconds == 0x0102_0304_0506)
        #expect(timestamp.extensions == [7, 8])
        let entry = try PrecertificateEntry(logged.view, issuer: world.issuing.view)
        let count = entry.tbs.count
        let expected: [UInt8] =
            [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 0, 1] + world.issuing.spkiDigest.bytes
            + [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] + entry.tbs + [0, 2, 7, 8]
        #expect(entry.message(of: timestamp) == expected)
    }

    // MARK: - Python

    /// Reads a certificate with Python's `cryptography`, prints its entry, and verifies the timestamps with it.
    private static let script = """
        import hashlib, sys
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        leaf = x509.load_der_x509_certificate(open("leaf", "rb").read())
        issuer = x509.load_der_x509_certificate(open("issuer", "rb").read())
        spki = issuer.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        tbs = leaf.tbs_precertificate_bytes
        print(tbs.hex())
        scts = leaf.extensions.get_extension_for_class(x509.PrecertificateSignedCertificateTimestamps).value
        for sct, name in zip(scts, sys.argv[1:]):
            key = serialization.load_der_public_key(open(name, "rb").read())
            time = int.from_bytes(open(name + ".time", "rb").read(), "big")
            body = bytes([0, 0]) + time.to_bytes(8, "big") + bytes([0, 1]) + hashlib.sha256(spki).digest()
            body += len(tbs).to_bytes(3, "big") + tbs + len(sct.extension_bytes).to_bytes(2, "big") + sct.extension_bytes
            assert sct.log_id == hashlib.sha256(open(name, "rb").read()).digest()
            key.verify(sct.signature, body, ec.ECDSA(hashes.SHA256()))
            print(name)
        """

    @Test(
        "Python's cryptography makes the same entry and accepts the timestamps",
        .enabled(if: PythonProgram.path != nil),
        arguments: [0, 200, 70_000])
    func matchesPython(_ size: Int) throws {
        let long = ExtraExtension("1.2.3.6", value: DERBytes.octetString(Array(repeating: 9, count: size)))
        let server = try factory.loggedLeaf(
            [TrustScene.host], signedBy: world.issuing, .with { $0.extraExtensions = [long, first] },
            logs: [world.oak, world.elm], position: 1)
        let time = try #require(try EmbeddedTimestamps(server.view)?.timestamps.first).milliseconds
        let lines = try TemporaryFolder.use { folder in
            try folder.write(server.certificateDER, to: "leaf")
            try folder.write(world.issuing.certificateDER, to: "issuer")
            for log in [world.oak, world.elm] {
                try folder.write(log.key.publicKeyInfo, to: log.name)
                try folder.write(
                    (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }, to: log.name + ".time")
            }
            try folder.write(Array(Self.script.utf8), to: "check.py")
            return try PythonProgram.run(try #require(PythonProgram.path), ["check.py", "oak", "elm"], in: folder.root)
                .split(separator: "\n").map(String.init)
        }
        let entry = try PrecertificateEntry(server.view, issuer: world.issuing.view)
        #expect(lines.first == entry.tbs.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect(Array(lines.dropFirst()) == ["oak", "elm"])
        #expect(try world.verdict(on: server).permitsConnection)
    }
}
