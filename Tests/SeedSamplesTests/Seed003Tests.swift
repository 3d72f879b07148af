import Crypto
import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastNetworking

@Suite("seeds/003: evaluators by domain")
struct Seed003Tests {
    private let world: SampleWorld

    init() throws {
        world = try SampleWorld()
    }

    private func hash(_ bytes: some Sequence<UInt8>) -> Data { Data(SHA256.hash(data: Data(bytes))) }

    @Test func pinnedKeysAcceptTheKeyAndItsRenewalOnly() async throws {
        let backup = hash([1])
        for primary in [Data(world.leaf.spkiDigest.bytes), hash(world.leaf.view.rawKey)] {
            let transport = world.pinning([
                SampleWorld.host: PublicKeyPinningEvaluator(pinnedKeyHashes: [primary, backup])
            ])
            try await world.expectAccepted(world.leaf, by: transport)
            try await world.expectAccepted(world.renewed, by: transport)
            #expect(try await world.refusal(of: world.other, by: transport) == .pinMismatch)
            #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
        }
    }

    @Test func aPinnedCertificateFailsAfterItsRenewal() async throws {
        let transport = world.pinning([
            SampleWorld.host: CertificatePinningEvaluator(pinnedCertificates: [Data(world.leaf.certificateDER)])
        ])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.renewed, by: transport) == .pinMismatch)
    }

    @Test func aCustomEvaluatorCanRefuseButNotAccept() async throws {
        let transport = world.pinning([SampleWorld.host: ShortChainEvaluator()])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
        let none = world.pinning([SampleWorld.host: ShortChainEvaluator(limit: 0)])
        #expect(try await world.refusal(of: world.leaf, by: none) == .evaluatorRefused)
    }

    @Test func anUnlistedDomainUsesTheSystemVerification() async throws {
        let transport = world.pinning(["other.example.com": ShortChainEvaluator(limit: 0)])
        try await world.expectAccepted(world.leaf, by: transport)
        #expect(try await world.refusal(of: world.selfSigned, by: transport) == .unknownIssuer)
    }

    /// Calls the printed initializers with the machine's roots. The test only makes the services, because the host
    /// does not exist.
    @Test func thePrintedServicesCanBeMade() {
        _ = makeServicePinningKeys(primaryHash: hash([1]), backupHash: hash([2]))
        _ = makeServicePinningCertificate(Data(world.leaf.certificateDER))
        _ = makeServiceWithOwnEvaluator()
    }

    private let environment = DefaultAPIEnvironment(baseURL: URL(string: "https://api.example.com/v1"))

    @Test func aCustomTransportCarriesTheRequests() async throws {
        let path: String = try await makeServiceOverOwnTransport().request(
            to: Endpoint(path: "things", method: .get), via: environment)
        #expect(path == "/v1/things")
    }

    /// The token of one launch is available at the next, and the app configures no location for it.
    #if os(Linux)
    @Test func aTokenIsAvailableAtTheNextLaunch() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for launch in ["first", "second", "third"] {
            await #expect(processExitsWith: .success) { [folder = folder as String, launch = launch as String] in
                setenv("XDG_STATE_HOME", folder, 1)
                let session = Session()
                let token = try await session.auth.loadAccessToken()
                switch launch {
                case "first":
                    guard token == nil else { exit(3) }
                    try await session.signIn(with: "t0ken")
                case "second":
                    guard token == "t0ken" else { exit(4) }
                    try await session.signOut()
                default:
                    guard token == nil else { exit(5) }
                }
            }
        }
        let modes = try FileManager.default.subpathsOfDirectory(atPath: folder).map { path in
            try FileManager.default.attributesOfItem(atPath: folder + "/" + path)[.posixPermissions] as? Int
        }
        #expect(modes.contains(0o600))
        #expect(modes.allSatisfy { $0 == 0o600 || $0 == 0o700 })
    }
    #endif

    @Test func decoratorsCanBeCombined() async throws {
        _ = Session().makeService { try await $0.saveAccessToken("next") }
        _ = makeServiceWithConfiguration(.default)
        let things: [String] = try await makePreviewService().requestModels(
            to: Endpoint(path: "things", method: .get), via: environment)
        #expect(things == ["a", "b"])
    }

    @Test func anEvaluatorMayThrowTheDocumentedErrors() async throws {
        let transport = world.pinning([SampleWorld.host: ListedHostEvaluator(hosts: ["other.example.com"])])
        #expect(try await world.refusal(of: world.leaf, by: transport) == .evaluatorRefused)
        let listed = world.pinning([SampleWorld.host: ListedHostEvaluator(hosts: [SampleWorld.host])])
        try await world.expectAccepted(world.leaf, by: listed)
    }

    #if canImport(FoundationNetworking)
    /// The native session would not ask the delegate, whatever it pins, so nothing is sent.
    @Test func aSessionWhoseDelegateWouldNotBeAskedIsRefused() async throws {
        await #expect(throws: UnbridgedSessionError.self) {
            try await makeServiceOverOwnSession().requestVoid(
                to: Endpoint(path: "things", method: .get), via: environment)
        }
    }
    #endif
}
