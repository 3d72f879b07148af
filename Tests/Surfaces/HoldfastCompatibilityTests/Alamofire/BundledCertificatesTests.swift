import Foundation
import HoldfastCompatibility
import HoldfastTestSupport
import Testing

/// Certificates from the files of a bundle.
@Suite struct BundledCertificatesTests {
    @Test func filesAreReadAndInvalidOnesAreReported() throws {
        let scene = try CompatibilityScene()
        let folder = URL.temporaryDirectory.appending(path: "holdfast-bundle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(scene.leaf.certificateDER).write(to: folder.appending(path: "a.cer"))
        try Data(scene.root.certificateDER).write(to: folder.appending(path: "b.DER"))
        try Data(scene.other.certificatePEM.utf8).write(to: folder.appending(path: "c.crt"))
        try Data("garbage".utf8).write(to: folder.appending(path: "d.der"))
        try Data(scene.other.certificateDER).write(to: folder.appending(path: "e.txt"))
        let bundle = try #require(Bundle(path: folder.path))
        let found = bundle.af
        #expect(found.certificates == [scene.leaf.view, scene.root.view])
        #expect(found.publicKeys.map(\.digest) == [scene.leaf.spkiDigest, scene.root.spkiDigest])
        #expect(found.errors.map(\.code) == [.pemGiven, .malformedDER])
    }

    /// The default evaluator refuses every server if it finds no certificate, so that nothing is accepted by accident.
    @Test func anAppWithoutCertificatesRefusesEverything() throws {
        let scene = try CompatibilityScene()
        #expect(throws: AFError.self) {
            try PinnedCertificatesTrustEvaluator().evaluate(
                scene.trust(scene.leaf), forHost: CompatibilityScene.host)
        }
    }
}
