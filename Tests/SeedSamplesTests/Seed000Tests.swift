import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import ChatCenter

@Suite("seeds/000: network settings of the chat")
struct Seed000Tests {
    @Test func theDefaultPinsNothing() {
        #expect(makeDefaultNetworkSettings() == ChatNetworkConfig())
        #expect(makeDefaultNetworkSettings().sslPinning.trustedCertificates.isEmpty)
    }

    /// The pitfall that the page warns of: the files are missing, and only the SDK's output shows it.
    @Test func missingFilesPinNothing() {
        let settings = makePinnedNetworkSettings()
        #expect(settings.sslPinning.trustedCertificates.isEmpty)
        #expect(ChatTrust(settings.sslPinning).security == .systemTrust)
    }

    @Test func bundledCertificatesReplaceTheSystemVerification() async throws {
        let world = try SampleWorld()
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(
            "holdfast-samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(world.selfSigned.certificateDER).write(to: folder.appendingPathComponent("current_server.cer"))
        try Data(world.leaf.certificateDER).write(to: folder.appendingPathComponent("next_server.cer"))
        let settings = makePinnedNetworkSettings(from: try #require(Bundle(path: folder.path)))
        let trust = ChatTrust(settings.sslPinning)
        #expect(trust.security == .pinnedKeys(certificates: 2))
        let transport = world.transport(trust.context(observing: { _, _ in }))
        // Self-signed, before and after the rotation to the next certificate, whose key was renewed.
        try await world.expectAccepted(world.selfSigned, by: transport)
        try await world.expectAccepted(world.renewed, by: transport)
        #expect(try await world.refusal(of: world.stranger, by: transport) == .pinMismatch)
        #expect(try await world.refusal(of: world.other, by: transport) == .pinMismatch)
    }
}
